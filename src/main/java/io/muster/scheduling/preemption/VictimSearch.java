package io.muster.scheduling.preemption;

import io.muster.model.ReplicaPlacement;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.preemption.Clearing.Chosen;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.shape.Right;
import io.muster.scheduling.topology.Partition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds who must yield so that a claimant can start; the draft is left as it was. */
public final class VictimSearch {
    /** Sets up to this size are tried without each of their members; larger ones only against the placement. */
    private static final int MOST_TRIED = 32;

    private final Draft draft;
    private final Outlook outlook;
    private final Enough enough;
    private @Nullable Candidates candidates;
    private @Nullable Candidates lastFirst;
    private long searches;

    public VictimSearch(Draft draft) {
        this.draft = draft;
        outlook = new Outlook(draft);
        enough = new Enough(draft);
    }

    /** A place, and the victims that leave it; {@code atOnce}: it is free, they yield nothing but their share. */
    public record Found(Layout layout, List<Taken> victims, boolean atOnce) {
        public Found {
            victims = List.copyOf(victims);
        }

        /** GPU-seconds lost by all. */
        public long cost() {
            return victims.stream().mapToLong(Taken::cost).sum();
        }
    }

    private record Range(int from, int to, int highestPriority, long cost, int victims) {
        static final Comparator<Range> CHEAPEST = Comparator.comparingInt(Range::highestPriority)
                .thenComparingLong(Range::cost)
                .thenComparingInt(Range::victims)
                .thenComparingInt(Range::from);
    }

    /** False when all that could possibly be taken is too little: the answer for most that wait. */
    public boolean isConceivable(Claimant claimant, Partition partition, boolean head, int reclaimBudget) {
        return outlook.isConceivable(claimant, partition, head, reclaimBudget, candidates());
    }

    /** The cheapest proven and minimal set in {@code partition}; null when there is none or nobody needs to yield. */
    public @Nullable Found search(
            Claimant claimant, Partition partition, LevelWish wish, boolean head, int reclaimBudget) {
        if (wish.coarsest() == Partition.WHOLE && isSoonIn(claimant, partition)) {
            return null;
        }
        var claim = new Claim(draft, claimant, partition.pool(), head, reclaimBudget);
        var all = candidates(claim);
        searches++;
        var first = wish.coarsest() == Partition.WHOLE ? null : claim.nodesToClear(all);
        var best = cheapestDomain(claim, all, partition, wish, first);
        return best == null ? null : prove(claim, all, partition, wish, best, first);
    }

    /** True when whoever leaves already is enough: the answer for most that are within their share. */
    private boolean isSoonIn(Claimant claimant, Partition partition) {
        int pool = partition.pool();
        return draft.holdings().letsIn(claimant, pool, draft.isPrivileged(claimant, pool))
                && enough.holds(claimant, partition, draft.holdings().isGuaranteed(claimant, pool));
    }

    /** How often victims were looked for beyond the sums that say at once when there are none. */
    public long searches() {
        return searches;
    }

    /** Who must yield its share so that the claimant may start on {@code layout}, which is free; null when none helps. */
    public @Nullable Found searchShare(Claimant claimant, Layout layout, boolean head, int reclaimBudget) {
        var claim = new Claim(draft, claimant, layout.partition().pool(), head, reclaimBudget);
        var all = candidates(claim);
        if (claim.isLetIn() || !claim.mayTakeInside(all)) {
            return null;
        }
        var clearing = new Clearing(claim, all, draft.room(), draft.room().future(), null, 0, 0);
        try (var trial = draft.room().trial()) {
            if (!new Attempts(claim, all, clearing).settleShares()) {
                return null;
            }
            for (var victim : wholeFirst(all, clearing)) {
                if (clearing.isImplied(victim)) {
                    continue;
                }
                clearing.spare(victim);
                if (!claim.isLetIn()) {
                    clearing.take(victim);
                }
            }
            var victims = clearing.chosen().stream()
                    .sorted(Comparator.comparingInt(Chosen::rank))
                    .toList();
            return new Found(layout, taken(draft, all, victims), true);
        } finally {
            clearing.undoShares();
        }
    }

    /** Who must leave domains that a shape of the claimant's team covers; null when that helps nothing. */
    public @Nullable Found searchShape(Claimant claimant, Partition partition, LevelWish wish) {
        var right = Right.of(draft, claimant, partition.pool());
        if (right == null) {
            return null;
        }
        searches++;
        return new ShapeSearch(draft, candidates(), right, claimant, partition, wish).find();
    }

    /** In the reverse of their order, those who leave whole before those who give up replicas. */
    private static List<Chosen> wholeFirst(Candidates all, Clearing clearing) {
        return clearing.chosen().reversed().stream()
                .sorted(Comparator.comparing(v -> !all.get(v.rank()).takesWhole()))
                .toList();
    }

    /** Each job once, with all parts of it that are taken. */
    static List<Taken> taken(Draft draft, Candidates all, List<Chosen> victims) {
        var byJob = new LinkedHashMap<Integer, List<Chosen>>();
        for (var victim : victims) {
            var parts = byJob.computeIfAbsent(all.get(victim.rank()).occupant().number(), n -> new ArrayList<>());
            parts.add(victim);
        }
        var taken = new ArrayList<Taken>();
        byJob.forEach((number, parts) -> taken.add(taken(draft, all, number, parts)));
        return taken;
    }

    private static Taken taken(Draft draft, Candidates all, int number, List<Chosen> parts) {
        var whole = draft.problem().occupants().get(number);
        var indices = new HashSet<Integer>();
        boolean goes = false;
        long cost = 0;
        for (var chosen : parts) {
            var candidate = all.get(chosen.rank());
            goes |= candidate.takesWhole();
            cost += candidate.cost();
            indices.add(candidate.from());
        }
        var left = goes ? List.<ReplicaPlacement>of() : Spare.left(whole, indices);
        return new Taken(whole, parts.getFirst().cause(), cost, left);
    }

    private Candidates candidates() {
        if (candidates == null) {
            candidates = new Candidates(draft);
        }
        return candidates;
    }

    /** Inside one team that takes turns its order counts before the cost; ranks of two teams cannot be compared. */
    private Candidates candidates(Claim claim) {
        if (!claim.isTurn(candidates())) {
            return candidates();
        }
        if (lastFirst == null) {
            lastFirst = candidates().lastFirst();
        }
        return lastFirst;
    }

    private Plane plane(Claim claim) {
        // Only a claim within a guarantee may take what is reserved for a blocked head.
        return claim.isGuaranteed() ? draft.room().future() : draft.room().futureStrict();
    }

    private @Nullable Range cheapestDomain(
            Claim claim, Candidates all, Partition partition, LevelWish wish, @Nullable BitSet first) {
        if (wish.coarsest() == Partition.WHOLE) {
            return new Range(partition.from(), partition.to(), 0, 0, 0); // there is no other to compare it with
        }
        Range best = null;
        for (int d = 0; d < partition.domainCount(wish.coarsest()); d++) {
            int from = partition.domainFrom(wish.coarsest(), d);
            int to = partition.domainTo(wish.coarsest(), d);
            if (!wish.isLabelled(partition, from) || !couldHold(claim.claimant().gang(), all, from, to)) {
                continue;
            }
            var clearing = new Clearing(claim, all, draft.room(), plane(claim), first, from, to);
            try (var trial = draft.room().trial()) {
                if (new Attempts(claim, all, clearing).clear(claim.claimant().gang(), null)) {
                    var range = new Range(from, to, clearing.highestPriority(), clearing.cost(), clearing.count());
                    best = best == null || Range.CHEAPEST.compare(range, best) < 0 ? range : best;
                }
            } finally {
                clearing.undoShares();
            }
            if (best != null && best.victims == 0 && claim.isLetIn()) {
                return null; // whoever leaves already is enough
            }
        }
        return best;
    }

    /** False when even without all candidates the range has too few GPUs. */
    private boolean couldHold(Gang gang, Candidates all, int from, int to) {
        var fleet = draft.room().fleet();
        var future = draft.room().future();
        long sum = 0;
        for (int n = from; n < to && sum < gang.gpus(); n++) {
            sum += fleet.takes(n) ? Math.max(0, future.gpus(n) + all.gpusOn(n)) : 0;
        }
        return sum >= gang.gpus();
    }

    /** Clears the range, adds victims that the shares ask for, places the gang, and spares whom it does not need. */
    private @Nullable Found prove(
            Claim claim, Candidates all, Partition partition, LevelWish wish, Range range, @Nullable BitSet first) {
        var clearing = new Clearing(claim, all, draft.room(), plane(claim), first, range.from, range.to);
        try (var trial = draft.room().trial()) {
            var seats = new ArrayList<Layout.Spot>();
            var attempts = new Attempts(claim, all, clearing);
            boolean cleared = attempts.clear(claim.claimant().gang(), seats) && attempts.settleShares();
            if (!cleared || clearing.count() == 0) {
                return null; // that cannot be, or whoever leaves already is enough
            }
            var layout = place(claim, partition, wish, range);
            if (layout == null) {
                layout = new Layout(partition, wish.coarsest(), domainOf(partition, wish, range), seats);
            }
            var order = new ArrayList<>(clearing.chosen());
            order.sort(claim.asking(all));
            layout = spareUnneeded(claim, all, partition, wish, range, clearing, order, layout);
            var victims = new ArrayList<>(taken(draft, all, clearing.chosen()));
            victims.sort(claim.asking());
            return victims.isEmpty() ? null : new Found(layout, victims, false);
        } finally {
            clearing.undoShares();
        }
    }

    private static int domainOf(Partition partition, LevelWish wish, Range range) {
        return wish.coarsest() == Partition.WHOLE
                ? 0
                : partition.levels().get(wish.coarsest()).of()[range.from - partition.from()];
    }

    private @Nullable Layout place(Claim claim, Partition partition, LevelWish wish, Range range) {
        return draft.placer()
                .place(
                        claim.claimant().gang(),
                        partition,
                        wish,
                        plane(claim),
                        claim.claimant().excluded(),
                        range.from,
                        range.to);
    }

    private Layout spareUnneeded(
            Claim claim,
            Candidates all,
            Partition partition,
            LevelWish wish,
            Range range,
            Clearing clearing,
            List<Chosen> order,
            Layout proven) {
        var byWorth = new ArrayList<>(order);
        byWorth.sort(Comparator.comparingInt(Chosen::rank).reversed());
        for (var spot : proven.spots()) {
            draft.room().spare(spot.node(), spot.amount());
        }
        for (var victim : byWorth) {
            if (clearing.isImplied(victim) || !clearing.fitsBack(victim)) {
                continue;
            }
            clearing.spare(victim);
            if (!isRightful(claim, all, clearing, order, victim)) {
                clearing.take(victim);
            }
        }
        for (var spot : proven.spots()) {
            draft.room().leave(spot.node(), spot.amount());
        }
        var layout = proven;
        for (var victim : byWorth) {
            if (clearing.isTaken(victim.rank()) && !clearing.isImplied(victim) && clearing.count() <= MOST_TRIED) {
                clearing.spare(victim);
                boolean hopeful =
                        clearing.mayHold(claim.claimant().gang()) && isRightful(claim, all, clearing, order, victim);
                var other = hopeful ? place(claim, partition, wish, range) : null;
                if (other == null) {
                    clearing.take(victim);
                } else {
                    layout = other;
                }
            }
        }
        return layout;
    }

    /** Without {@code spared}, the shares still let the claimant in and let it take the others, in their order. */
    private boolean isRightful(Claim claim, Candidates all, Clearing clearing, List<Chosen> order, Chosen spared) {
        if (!claim.isLetIn() || !claim.helpsTaking(all.get(spared.rank()))) {
            return claim.isLetIn();
        }
        var left = order.stream().filter(v -> clearing.isTaken(v.rank())).toList();
        left.forEach(v -> claim.giveBack(all.get(v.rank()), v.cause()));
        boolean rightful = true;
        for (var victim : left) {
            rightful &= clearing.isImplied(victim) || claim.cause(all.get(victim.rank())) == victim.cause();
            claim.take(all.get(victim.rank()), victim.cause());
        }
        return rightful;
    }
}
