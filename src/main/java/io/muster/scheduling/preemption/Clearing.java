package io.muster.scheduling.preemption;

import io.muster.model.Resources;
import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.placement.Room;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.problem.Occupant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;
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
    private final @Nullable BitSet first;
    private final List<Chosen> chosen = new ArrayList<>();
    private final BitSet known = new BitSet();
    private final BitSet taken;
    private BitSet scarce = new BitSet();

    /** A victim by rank. */
    record Chosen(int rank, Cause cause) {}

    /** {@code first}: nodes on which somebody must yield before anybody has; null: found as far as needed. */
    Clearing(Claim claim, Candidates candidates, Room room, Plane plane, @Nullable BitSet first, int from, int to) {
        this(claim, candidates, room, plane, first, from, to, new BitSet());
    }

    private Clearing(
            Claim claim,
            Candidates candidates,
            Room room,
            Plane plane,
            @Nullable BitSet first,
            int from,
            int to,
            BitSet taken) {
        this.taken = taken;
        this.claim = claim;
        this.first = first;
        this.candidates = candidates;
        this.room = room;
        this.plane = plane;
        excluded = claim.claimant().excluded();
        this.from = from;
        this.to = to;
    }

    /** Takes victims until every kind of the gang has room, {@code wanted} being seats for all: a place, if not the best. */
    boolean clear(Gang gang, @Nullable List<Layout.Spot> wanted) {
        var spots = new ArrayList<Layout.Spot>();
        boolean cleared = clear(gang, spots, wanted != null);
        for (var spot : spots) {
            room.leave(spot.node(), spot.amount()); // seats were only kept apart from each other
        }
        if (cleared && wanted != null) {
            wanted.addAll(spots);
        }
        return cleared;
    }

    /** Takes nobody after all; from now on teams that are {@code scarce} give what others cannot, in as few as can be. */
    void startOver(BitSet scarce) {
        chosen().reversed().forEach(this::spare);
        chosen.clear();
        known.clear();
        this.scarce = scarce;
    }

    private boolean clear(Gang gang, List<Layout.Spot> spots, boolean lastToo) {
        int last = gang.kinds().size() - 1;
        for (int k = 0; k <= last; k++) {
            var kind = gang.kinds().get(k);
            var slices = kind.slices() == null
                    ? null
                    : new SliceClearing(this, kind, room.fleet().partitionOf(from), from, to);
            if (!(slices == null ? clear(kind.each(), kind.replicas()) : slices.clear())) {
                return false;
            }
            if (k < last || lastToo) {
                var seats = slices == null ? seats(k, kind, from, to, kind.replicas()) : slices.seats(k);
                seats.forEach(seat -> room.spare(seat.node(), seat.amount()));
                spots.addAll(seats);
            }
        }
        return true;
    }

    /** Seats for {@code replicas} of a kind on nodes {@code first..end}, on those with the most room for it. */
    List<Layout.Spot> seats(int kindNumber, Gang.Kind kind, int first, int end, int replicas) {
        return Seats.of(kindNumber, kind, replicas, first, end, n -> count(n, kind.each(), replicas), plane);
    }

    /** The same for nodes {@code first..end} alone, with those that were taken already. */
    Clearing within(int first, int end) {
        var inner = new Clearing(claim, candidates, room, plane, null, first, end, (BitSet) taken.clone());
        inner.scarce = scarce;
        return inner;
    }

    /** Replicas that have room on nodes {@code first..end}. */
    int count(int first, int end, Resources each, int most) {
        int sum = 0;
        for (int n = first; n < end; n++) {
            sum += count(n, each, most);
        }
        return sum;
    }

    /** Nodes on which a victim holds something. */
    List<Integer> nodes(Chosen victim) {
        return candidates.get(victim.rank).occupant().spots().stream()
                .map(Occupant.Spot::node)
                .toList();
    }

    /** Takes victims until {@code replicas} have room; false when that cannot be. */
    boolean clear(Resources each, int replicas) {
        long have = count(each, replicas);
        if (have >= replicas) {
            return true;
        }
        var steps = new PriorityQueue<>(Step.CHEAPEST);
        var yielding = chosen.isEmpty() && first != null ? null : new Yielding(claim, candidates);
        if (yielding == null && first != null) {
            for (int n = first.nextSetBit(from); n >= 0 && n < to; n = first.nextSetBit(n + 1)) {
                offer(steps, n, each, replicas);
            }
        }
        var visited = new BitSet();
        while (have < replicas) {
            if (yielding != null) {
                visit(yielding, visited, steps, each, replicas);
            }
            var step = steps.poll();
            if (step == null) {
                return false;
            }
            var again = step(step.node(), each, replicas);
            if (again == null) {
                continue; // since then its victims were taken, or may no longer be
            }
            if (!again.victims().equals(step.victims())) {
                steps.add(again);
                continue;
            }
            have += take(step, each, replicas, steps);
        }
        return true;
    }

    /** Goes on to those who must yield until none of the others can make a cheaper step than the cheapest known. */
    private void visit(Yielding yielding, BitSet visited, PriorityQueue<Step> steps, Resources each, int replicas) {
        for (int rank = yielding.peek(); rank != Yielding.NOBODY; rank = yielding.peek()) {
            var cheapest = steps.peek();
            if (cheapest != null && cheapest.isCheapest(candidates, rank)) {
                return;
            }
            for (var spot : candidates.get(rank).occupant().spots()) {
                int node = spot.node();
                if (node >= from && node < to && !visited.get(node)) {
                    visited.set(node);
                    offer(steps, node, each, replicas);
                }
            }
            yielding.pass();
        }
    }

    private void offer(PriorityQueue<Step> steps, int node, Resources each, int most) {
        var step = step(node, each, most);
        if (step != null) {
            steps.add(step);
        }
    }

    /** Takes the step's victims; returns how many replicas more fit in the range. */
    private int take(Step step, Resources each, int replicas, PriorityQueue<Step> steps) {
        var nodes = nodesOf(step);
        int before = count(nodes, each, replicas);
        step.victims().forEach(this::take);
        for (int node : nodes) {
            offer(steps, node, each, replicas);
        }
        return count(nodes, each, replicas) - before;
    }

    /** Nodes of the range on which the step's victims lie, ascending. */
    private int[] nodesOf(Step step) {
        var nodes = new TreeSet<Integer>();
        for (var victim : step.victims()) {
            for (int rank : leavingWith(victim.rank)) {
                for (var spot : candidates.get(rank).occupant().spots()) {
                    if (spot.node() >= from && spot.node() < to) {
                        nodes.add(spot.node());
                    }
                }
            }
        }
        int[] sorted = new int[nodes.size()];
        int next = 0;
        for (int node : nodes) {
            sorted[next++] = node;
        }
        return sorted;
    }

    /** Replicas that fit in the range, counted until there are enough. */
    private long count(Resources each, int replicas) {
        return room.count(plane, from, to, excluded, each, replicas);
    }

    private int count(int[] nodes, Resources each, int most) {
        int sum = 0;
        for (int node : nodes) {
            sum += count(node, each, most);
        }
        return sum;
    }

    private @Nullable Step step(int node, Resources each, int most) {
        return usable(node) ? Step.on(node, each, most, claim, candidates, plane, taken, scarce) : null;
    }

    private int count(int node, Resources each, int most) {
        return usable(node) ? plane.count(node, each, most) : 0;
    }

    private boolean usable(int node) {
        return room.takes(node, excluded);
    }

    /** Nobody is taken twice: a job that goes whole has taken its spare replicas along. */
    void take(Chosen victim) {
        if (taken.get(victim.rank)) {
            return;
        }
        var candidate = candidates.get(victim.rank);
        taken.set(victim.rank);
        if (!known.get(victim.rank)) {
            known.set(victim.rank);
            chosen.add(victim);
        }
        for (var spot : candidate.occupant().spots()) {
            room.leave(spot.node(), spot.amount());
        }
        claim.take(candidate, victim.cause);
        for (int part : leavingWith(victim.rank)) {
            if (!taken.get(part)) {
                take(new Chosen(part, victim.cause));
            }
        }
    }

    /** Who cannot go on gives up what it could do without as well. */
    private List<Integer> leavingWith(int rank) {
        var parts = candidates.get(rank).takesWhole() ? candidates.partsOf(rank) : List.<Integer>of();
        return parts.isEmpty() ? List.of(rank) : parts;
    }

    /** True for spare replicas of a job that leaves whole: nobody chose them. */
    boolean isImplied(Chosen victim) {
        return !candidates.get(victim.rank).takesWhole()
                && candidates.partsOf(victim.rank).stream()
                        .anyMatch(p -> candidates.get(p).takesWhole() && taken.get(p));
    }

    void spare(Chosen victim) {
        var candidate = candidates.get(victim.rank);
        taken.clear(victim.rank);
        for (var spot : candidate.occupant().spots()) {
            room.spare(spot.node(), spot.amount());
        }
        claim.giveBack(candidate, victim.cause);
    }

    /** True when the victim's nodes have room for it again. */
    boolean fitsBack(Chosen victim) {
        for (var spot : candidates.get(victim.rank).occupant().spots()) {
            if (!plane.isCoveredWithout(spot.node(), spot.amount())) {
                return false;
            }
        }
        return true;
    }

    /** False when some kind of the gang finds too little room in the range by itself. */
    boolean mayHold(Gang gang) {
        for (var kind : gang.kinds()) {
            if (count(kind.each(), kind.replicas()) < kind.replicas()) {
                return false;
            }
        }
        return true;
    }

    boolean isTaken(int rank) {
        return taken.get(rank);
    }

    /** How many are taken. */
    int count() {
        return taken.cardinality();
    }

    /** Who is taken, in the order of the taking. */
    List<Chosen> chosen() {
        var now = new ArrayList<Chosen>(chosen.size());
        for (var victim : chosen) {
            if (taken.get(victim.rank)) {
                now.add(victim);
            }
        }
        return now;
    }

    /** Takes the shares' part of the trial back; the room's undoes itself. */
    void undoShares() {
        for (var victim : chosen) {
            if (taken.get(victim.rank)) {
                claim.giveBack(candidates.get(victim.rank), victim.cause);
            }
        }
    }

    int highestPriority() {
        int highest = Integer.MIN_VALUE;
        for (var victim : chosen()) {
            highest = Math.max(highest, candidates.get(victim.rank).priority());
        }
        return highest;
    }

    long cost() {
        long cost = 0;
        for (var victim : chosen()) {
            cost += candidates.get(victim.rank).cost();
        }
        return cost;
    }
}
