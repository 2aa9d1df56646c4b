package io.muster.scheduling.moves;

import io.muster.model.JobId;
import io.muster.model.Resources;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.placement.Room;
import io.muster.scheduling.problem.Claimant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Clears one range of nodes for a gang, the cheapest next replica first, within a trial of the room. */
final class Vacating {
    /** A gang for which more than so many would have to go is not worth it. */
    private static final int MOST_MOVED = 32;

    private final Claimant claimant;
    private final Movers movers;
    private final Room room;
    private final Set<JobId> staying;
    private final int from;
    private final int to;
    private final List<Mover> chosen = new ArrayList<>();
    private final Set<JobId> taken = new HashSet<>();

    /** Who leaves the node so that one replica more fits. */
    private record Step(int node, List<Mover> leave, long cost) {
        static final Comparator<Step> CHEAPEST = Comparator.comparingLong(Step::cost)
                .thenComparingInt(s -> s.leave.size())
                .thenComparingInt(Step::node);
    }

    /** {@code staying}: jobs that have nowhere else to go. */
    Vacating(Claimant claimant, Movers movers, Room room, Set<JobId> staying, int from, int to) {
        this.claimant = claimant;
        this.movers = movers;
        this.room = room;
        this.staying = staying;
        this.from = from;
        this.to = to;
    }

    /** Lets jobs leave until every kind of the gang has room; false when that cannot be. */
    boolean clear() {
        for (var kind : claimant.gang().kinds()) {
            if (!clear(kind.each(), kind.replicas())) {
                return false;
            }
        }
        return true;
    }

    private boolean clear(Resources each, int replicas) {
        while (count(each, replicas) < replicas) {
            var step = cheapest(each, replicas);
            if (step == null || chosen.size() + step.leave.size() > MOST_MOVED) {
                return false;
            }
            step.leave.forEach(this::take);
        }
        return true;
    }

    private long count(Resources each, int replicas) {
        long have = 0;
        for (int n = from; n < to && have < replicas; n++) {
            have += isUsable(n) ? plane().count(n, each, replicas) : 0;
        }
        return have;
    }

    private Plane plane() {
        return room.futureStrict();
    }

    private boolean isUsable(int node) {
        var excluded = claimant.excluded();
        return room.takes(node, excluded);
    }

    private @Nullable Step cheapest(Resources each, int replicas) {
        Step best = null;
        for (int n = from; n < to; n++) {
            var step = isUsable(n) ? step(n, each, replicas) : null;
            if (step != null && (best == null || Step.CHEAPEST.compare(step, best) < 0)) {
                best = step;
            }
        }
        return best;
    }

    private @Nullable Step step(int node, Resources each, int replicas) {
        var here = movers.on(node).stream().filter(this::mayGo).toList();
        if (here.isEmpty()) {
            return null;
        }
        var wanted = each.times(plane().count(node, each, replicas) + 1);
        var free = plane().at(node);
        var leave = new ArrayList<Mover>();
        for (var mover : here) {
            if (isEnough(wanted, free)) {
                break;
            }
            free = free.plus(mover.on(node));
            leave.add(mover);
        }
        if (!isEnough(wanted, free)) {
            return null;
        }
        for (int i = leave.size() - 1; i >= 0; i--) {
            var without = free.minus(leave.get(i).on(node));
            if (isEnough(wanted, without)) {
                free = without;
                leave.remove(i);
            }
        }
        return cheaper(alone(node, wanted, here), new Step(node, leave, sum(leave)));
    }

    /** The cheapest job that makes the room by itself. */
    private @Nullable Step alone(int node, Resources wanted, List<Mover> here) {
        for (var mover : here) {
            if (isEnough(wanted, plane().at(node).plus(mover.on(node)))) {
                return new Step(node, List.of(mover), mover.cost());
            }
        }
        return null;
    }

    private static Step cheaper(@Nullable Step a, Step b) {
        return a != null && Step.CHEAPEST.compare(a, b) < 0 ? a : b;
    }

    /** Nobody goes for a job of lower priority. */
    private boolean mayGo(Mover mover) {
        var id = mover.occupant().id();
        return !taken.contains(id)
                && !staying.contains(id)
                && mover.occupant().facts().priority() <= claimant.facts().priority();
    }

    /** What is not asked for cannot be short. */
    private static boolean isEnough(Resources wanted, Resources room) {
        return (wanted.gpus() == 0 || wanted.gpus() <= room.gpus())
                && (wanted.cpuMillis() == 0 || wanted.cpuMillis() <= room.cpuMillis())
                && (wanted.memoryBytes() == 0 || wanted.memoryBytes() <= room.memoryBytes());
    }

    private void take(Mover mover) {
        taken.add(mover.occupant().id());
        chosen.add(mover);
        mover.occupant().spots().forEach(s -> room.leave(s.node(), s.amount()));
    }

    List<Mover> chosen() {
        return chosen;
    }

    long cost() {
        return sum(chosen);
    }

    private static long sum(List<Mover> movers) {
        return movers.stream().mapToLong(Mover::cost).sum();
    }
}
