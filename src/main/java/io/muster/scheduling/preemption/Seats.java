package io.muster.scheduling.preemption;

import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.Plane;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** A place in a cleared range, if not the best: on the nodes with the most room. */
final class Seats {
    private Seats() {}

    private record Room(int node, int count) {}

    /** Spots for {@code replicas} of one kind among nodes {@code from..to}, where {@code counts} says how many fit. */
    static List<Layout.Spot> of(
            int kindNumber, Gang.Kind kind, int replicas, int from, int to, IntUnaryOperator counts, Plane plane) {
        var free = new ArrayList<Room>();
        for (int n = from; n < to; n++) {
            int here = plane.gpus(n) < kind.each().gpus() ? 0 : counts.applyAsInt(n);
            if (here > 0) {
                free.add(new Room(n, here));
            }
        }
        free.sort(Comparator.comparingInt(Room::count).reversed().thenComparingInt(Room::node));
        int left = replicas;
        var seats = new ArrayList<Layout.Spot>();
        for (int i = 0; i < free.size() && left > 0; i++) {
            int here = Math.min(left, free.get(i).count);
            seats.add(new Layout.Spot(kindNumber, free.get(i).node, here, kind.each()));
            left -= here;
        }
        seats.sort(Comparator.comparingInt(Layout.Spot::node));
        return seats;
    }
}
