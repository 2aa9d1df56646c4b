package io.muster.scheduling.placement;

import io.muster.scheduling.placement.Gang.Kind;
import io.muster.scheduling.placement.Layout.Spot;
import io.muster.scheduling.topology.Partition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds a place for a gang in one partition; changes nothing. */
public final class Placer {
    private final Room room;
    private final Census census;

    public Placer(Room room) {
        this.room = room;
        this.census = new Census(room.fleet());
    }

    /** The best place in {@code partition} as {@code plane} shows it, or null when there is none. */
    public @Nullable Layout place(
            Gang gang, Partition partition, LevelWish wish, Plane plane, @Nullable BitSet excluded) {
        return place(gang, partition, wish, plane, excluded, partition.from(), partition.to());
    }

    /** The best place among the nodes {@code from..to} of the partition, or null. */
    public @Nullable Layout place(
            Gang gang, Partition partition, LevelWish wish, Plane plane, @Nullable BitSet excluded, int from, int to) {
        if (gang.replicas() == 1) {
            return single(gang, partition, wish, plane, excluded, from, to);
        }
        var domains = new DomainSearch(room, census, partition, plane, excluded, from, to);
        return gang.kinds().size() == 1
                ? domains.uniform(gang.kinds().getFirst(), gang.gpus(), wish)
                : domains.mixed(gang.kinds(), wish);
    }

    /** One replica goes on the fullest node with room, a gap before a whole node. */
    private @Nullable Layout single(
            Gang gang, Partition partition, LevelWish wish, Plane plane, @Nullable BitSet excluded, int from, int to) {
        var kind = gang.kinds().getFirst();
        int node = plane == room.strict()
                ? indexed(kind, partition, wish, plane, excluded, from, to)
                : scanned(kind, partition, wish, plane, excluded, from, to);
        if (node < 0) {
            return null;
        }
        int level = partition.nodeLevel();
        return new Layout(
                partition, level, node - partition.from(), new ArrayList<>(List.of(new Spot(0, node, 1, kind.each()))));
    }

    private int indexed(
            Kind kind, Partition partition, LevelWish wish, Plane plane, @Nullable BitSet excluded, int from, int to) {
        var index = room.index();
        int first = Math.min(kind.each().gpus(), index.buckets() - 1);
        for (int pass = 0; pass < 2; pass++) {
            for (int bucket = first; bucket < index.buckets(); bucket++) {
                int node = index.next(pass == 1, bucket, from);
                while (node >= 0 && node < to) {
                    if (plane.fits(node, kind.each()) && allowed(partition, wish, excluded, node)) {
                        return node;
                    }
                    node = index.next(pass == 1, bucket, node + 1);
                }
            }
        }
        return -1;
    }

    private int scanned(
            Kind kind, Partition partition, LevelWish wish, Plane plane, @Nullable BitSet excluded, int from, int to) {
        int best = -1;
        for (int node = from; node < to; node++) {
            if (room.fleet().takes(node)
                    && plane.fits(node, kind.each())
                    && allowed(partition, wish, excluded, node)
                    && (best < 0 || fuller(plane, node, best))) {
                best = node;
            }
        }
        return best;
    }

    private boolean fuller(Plane plane, int node, int best) {
        boolean whole = room.isWhole(plane, node);
        boolean bestWhole = room.isWhole(plane, best);
        return whole == bestWhole ? plane.gpus(node) < plane.gpus(best) : bestWhole;
    }

    private static boolean allowed(Partition partition, LevelWish wish, @Nullable BitSet excluded, int node) {
        return wish.isLabelled(partition, node) && (excluded == null || !excluded.get(node));
    }
}
