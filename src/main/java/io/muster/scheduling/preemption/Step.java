package io.muster.scheduling.preemption;

import io.muster.model.Resources;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.preemption.Clearing.Chosen;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What clears a node for one more replica.
 *
 * @param place of the victims the foremost one's, where a team's order counts before the cost; else 0
 * @param restarts how many have to start again, where that counts; else 0
 */
record Step(int node, List<Chosen> victims, int highestPriority, double place, long cost, int restarts) {
    static final Comparator<Step> CHEAPEST = (a, b) -> {
        int order = Integer.compare(a.highestPriority, b.highestPriority);
        order = order != 0 ? order : Double.compare(b.place, a.place);
        order = order != 0 ? order : Long.compare(a.cost, b.cost);
        order = order != 0 ? order : Integer.compare(a.restarts, b.restarts);
        order = order != 0 ? order : Integer.compare(a.lastRank(), b.lastRank());
        return order != 0 ? order : Integer.compare(a.node, b.node);
    };

    private int lastRank() {
        return victims.getLast().rank();
    }

    /** True when no node can be cheaper on which the candidate ranked so is the first to go. */
    boolean isCheapest(Candidates candidates, int rank) {
        var next = candidates.get(rank);
        if (highestPriority != next.priority()) {
            return highestPriority < next.priority();
        }
        if (next.isBackfilled()) {
            return false; // those who were not may cost less
        }
        double first = candidates.place(rank);
        if (place != first) {
            return place > first;
        }
        return cost < next.cost() || (cost == next.cost() && restarts <= 1 && lastRank() < rank);
    }

    /** The first to go on the node that make room for one replica more, without those not needed for it. */
    static @Nullable Step on(
            int node,
            Resources each,
            int most,
            Claim claim,
            Candidates candidates,
            Plane plane,
            BitSet taken,
            BitSet scarce) {
        var free = plane.at(node);
        var wanted = each.times(plane.count(node, each, most) + 1);
        if (free.gpus() + candidates.gpusOn(node) < wanted.gpus()) {
            return null;
        }
        var victims = new ArrayList<Chosen>(4);
        for (int rank : scarce.isEmpty() ? candidates.on(node) : scarceLast(node, candidates, scarce)) {
            if (enough(wanted, free)) {
                break;
            }
            var cause = taken.get(rank) ? null : claim.cause(candidates.get(rank));
            if (cause != null) {
                // Counted out while the step is made, so that each is rightful after those before it.
                claim.take(candidates.get(rank), cause);
                victims.add(new Chosen(rank, cause));
                free = free.plus(amount(candidates.get(rank), node));
            }
        }
        for (var victim : victims) {
            claim.giveBack(candidates.get(victim.rank()), victim.cause());
        }
        if (!enough(wanted, free) || victims.isEmpty()) {
            return null;
        }
        dropUnneeded(victims, node, wanted, free, claim, candidates);
        long cost = 0;
        int highest = Integer.MIN_VALUE;
        double place = Double.MAX_VALUE;
        for (var victim : victims) {
            cost += candidates.get(victim.rank()).cost();
            place = Math.min(place, candidates.place(victim.rank()));
            highest = Math.max(highest, candidates.get(victim.rank()).priority());
        }
        return new Step(node, victims, highest, place, cost, candidates.isLastFirst() ? victims.size() : 0);
    }

    /** Ranks of those on the node, first to go first, but those of scarce teams last: who frees most of it first. */
    private static int[] scarceLast(int node, Candidates candidates, BitSet scarce) {
        var order = Comparator.comparingInt((Integer rank) -> {
            var candidate = candidates.get(rank);
            return scarce.get(candidate.occupant().leaf())
                    ? amount(candidate, node).gpus()
                    : Integer.MAX_VALUE;
        });
        return Arrays.stream(candidates.on(node))
                .boxed()
                .sorted(order.reversed())
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static void dropUnneeded(
            List<Chosen> victims, int node, Resources wanted, Resources free, Claim claim, Candidates candidates) {
        var left = free;
        for (int i = victims.size() - 1; i >= 0 && victims.size() > 1; i--) {
            var without = left.minus(amount(candidates.get(victims.get(i).rank()), node));
            // Who helps taking others is spared later, when all are known, or not at all.
            if (enough(wanted, without)
                    && !claim.helpsTaking(candidates.get(victims.get(i).rank()))) {
                left = without;
                victims.remove(i);
            }
        }
    }

    /** What is not asked for cannot be short. */
    private static boolean enough(Resources wanted, Resources room) {
        return (wanted.gpus() == 0 || wanted.gpus() <= room.gpus())
                && (wanted.cpuMillis() == 0 || wanted.cpuMillis() <= room.cpuMillis())
                && (wanted.memoryBytes() == 0 || wanted.memoryBytes() <= room.memoryBytes());
    }

    private static Resources amount(Candidate candidate, int node) {
        for (var spot : candidate.occupant().spots()) {
            if (spot.node() == node) {
                return spot.amount();
            }
        }
        return Resources.NONE;
    }
}
