package io.muster.scheduling.preemption;

import io.muster.model.Resources;
import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.placement.Room;
import io.muster.scheduling.plan.Decision.Cause;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Clears one range of nodes for a gang, the cheapest next replica first, as a trial that is undone or kept. */
final class Clearing {
    private final Claim claim;
    private final Candidates candidates;
    private final Room room;
    private final Plane plane;
    private final @Nullable BitSet excluded;
    private final int from;
    private final int to;
    private final List<Chosen> chosen = new ArrayList<>();
    private final BitSet taken = new BitSet();

    /** A victim by rank. */
    record Chosen(int rank, Cause cause) {}

    /** What clears a node for one more replica. */
    private record Step(int node, List<Chosen> victims, int highestPriority, long cost) {
        static final Comparator<Step> CHEAPEST = Comparator.comparingInt(Step::highestPriority)
                .thenComparingLong(Step::cost)
                .thenComparingInt(s -> s.victims.getLast().rank)
                .thenComparingInt(Step::node);
    }

    Clearing(Claim claim, Candidates candidates, Room room, Plane plane, @Nullable BitSet excluded, int from, int to) {
        this.claim = claim;
        this.candidates = candidates;
        this.room = room;
        this.plane = plane;
        this.excluded = excluded;
        this.from = from;
        this.to = to;
    }

    /** Takes victims until every kind of the gang has room; false when that cannot be. */
    boolean clear(Gang gang) {
        return clear(gang, null);
    }

    /** The same, with seats for all: a place, if not the best. */
    boolean clear(Gang gang, @Nullable List<Layout.Spot> wanted) {
        var spots = wanted == null ? new ArrayList<Layout.Spot>() : wanted;
        int last = gang.kinds().size() - 1;
        for (int k = 0; k <= last; k++) {
            var kind = gang.kinds().get(k);
            if (!clear(kind.each(), kind.replicas())) {
                return false;
            }
            if (k < last || wanted != null) {
                seat(k, kind, spots);
            }
        }
        for (var spot : spots) {
            room.leave(spot.node(), spot.amount()); // seats were only kept apart from each other
        }
        return true;
    }

    private boolean clear(Resources each, int replicas) {
        long have = 0;
        for (int n = from; n < to; n++) {
            have += count(n, each, replicas);
        }
        if (have >= replicas) {
            return true;
        }
        var steps = new PriorityQueue<>(Step.CHEAPEST);
        for (int n = from; n < to; n++) {
            offer(steps, n, each, replicas);
        }
        while (have < replicas) {
            var step = steps.poll();
            if (step == null) {
                return false;
            }
            var again = step(step.node, each, replicas);
            if (again == null) {
                continue; // since then its victims were taken, or may no longer be
            }
            if (!again.victims.equals(step.victims)) {
                steps.add(again);
                continue;
            }
            have += take(step, each, replicas, steps);
        }
        return true;
    }

    private void offer(PriorityQueue<Step> steps, int node, Resources each, int most) {
        var step = step(node, each, most);
        if (step != null) {
            steps.add(step);
        }
    }

    /** Takes the step's victims; returns how many replicas more fit in the range. */
    private int take(Step step, Resources each, int replicas, PriorityQueue<Step> steps) {
        var nodes = new BitSet();
        for (var victim : step.victims) {
            candidates.get(victim.rank).occupant().spots().forEach(s -> nodes.set(s.node()));
        }
        int before = count(nodes, each, replicas);
        step.victims.forEach(this::take);
        for (int n = nodes.nextSetBit(0); n >= 0; n = nodes.nextSetBit(n + 1)) {
            if (n >= from && n < to) {
                offer(steps, n, each, replicas);
            }
        }
        return count(nodes, each, replicas) - before;
    }

    private int count(BitSet nodes, Resources each, int most) {
        return nodes.stream()
                .filter(n -> n >= from && n < to)
                .map(n -> count(n, each, most))
                .sum();
    }

    private int count(int node, Resources each, int most) {
        return usable(node) ? plane.count(node, each, most) : 0;
    }

    private boolean usable(int node) {
        return room.fleet().takes(node) && (excluded == null || !excluded.get(node));
    }

    /** The first to go on the node that make room for one replica more, without those not needed for it. */
    private @Nullable Step step(int node, Resources each, int most) {
        if (!usable(node)) {
            return null;
        }
        var free = plane.at(node);
        var wanted = each.times(plane.count(node, each, most) + 1);
        var victims = new ArrayList<Chosen>();
        for (int rank : candidates.on(node)) {
            if (enough(wanted, free)) {
                break;
            }
            var cause = taken.get(rank) ? null : claim.cause(candidates.get(rank));
            if (cause != null) {
                // Counted out while the step is made, so that each is rightful after those before it.
                claim.take(candidates.get(rank), cause);
                victims.add(new Chosen(rank, cause));
                free = free.plus(amount(rank, node));
            }
        }
        victims.forEach(v -> claim.giveBack(candidates.get(v.rank), v.cause));
        if (!enough(wanted, free) || victims.isEmpty()) {
            return null;
        }
        for (int i = victims.size() - 1; i >= 0; i--) {
            var without = free.minus(amount(victims.get(i).rank, node));
            // Who helps taking others is spared later, when all are known, or not at all.
            if (enough(wanted, without)
                    && victims.size() > 1
                    && !claim.helpsTaking(candidates.get(victims.get(i).rank))) {
                free = without;
                victims.remove(i);
            }
        }
        long cost =
                victims.stream().mapToLong(v -> candidates.get(v.rank).cost()).sum();
        int highest = candidates.get(victims.getLast().rank).occupant().facts().priority();
        return new Step(node, victims, highest, cost);
    }

    /** What is not asked for cannot be short. */
    private static boolean enough(Resources wanted, Resources room) {
        return (wanted.gpus() == 0 || wanted.gpus() <= room.gpus())
                && (wanted.cpuMillis() == 0 || wanted.cpuMillis() <= room.cpuMillis())
                && (wanted.memoryBytes() == 0 || wanted.memoryBytes() <= room.memoryBytes());
    }

    private Resources amount(int rank, int node) {
        for (var spot : candidates.get(rank).occupant().spots()) {
            if (spot.node() == node) {
                return spot.amount();
            }
        }
        return Resources.NONE;
    }

    /** Keeps seats of a kind apart from the next kinds: on the nodes with the most room for it. */
    private void seat(int kindNumber, Gang.Kind kind, List<Layout.Spot> spots) {
        record Seats(int node, int count) {}
        var free = new ArrayList<Seats>();
        for (int n = from; n < to; n++) {
            int here = count(n, kind.each(), kind.replicas());
            if (here > 0) {
                free.add(new Seats(n, here));
            }
        }
        free.sort(Comparator.comparingInt(Seats::count).reversed().thenComparingInt(Seats::node));
        int left = kind.replicas();
        var seats = new ArrayList<Layout.Spot>();
        for (int i = 0; i < free.size() && left > 0; i++) {
            int here = Math.min(left, free.get(i).count);
            seats.add(new Layout.Spot(kindNumber, free.get(i).node, here, kind.each()));
            left -= here;
        }
        seats.sort(Comparator.comparingInt(Layout.Spot::node));
        seats.forEach(s -> room.spare(s.node(), s.amount()));
        spots.addAll(seats);
    }

    void take(Chosen victim) {
        var candidate = candidates.get(victim.rank);
        taken.set(victim.rank);
        chosen.add(victim);
        candidate.occupant().spots().forEach(s -> room.leave(s.node(), s.amount()));
        claim.take(candidate, victim.cause);
    }

    void spare(Chosen victim) {
        var candidate = candidates.get(victim.rank);
        taken.clear(victim.rank);
        chosen.remove(victim);
        candidate.occupant().spots().forEach(s -> room.spare(s.node(), s.amount()));
        claim.giveBack(candidate, victim.cause);
    }

    boolean isTaken(int rank) {
        return taken.get(rank);
    }

    List<Chosen> chosen() {
        return chosen;
    }

    /** Takes the shares' part of the trial back; the room's undoes itself. */
    void undoShares() {
        chosen.forEach(v -> claim.giveBack(candidates.get(v.rank), v.cause));
    }

    int highestPriority() {
        return chosen.stream()
                .mapToInt(v -> candidates.get(v.rank).occupant().facts().priority())
                .max()
                .orElse(Integer.MIN_VALUE);
    }

    long cost() {
        return chosen.stream().mapToLong(v -> candidates.get(v.rank).cost()).sum();
    }
}
