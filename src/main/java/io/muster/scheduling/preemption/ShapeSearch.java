package io.muster.scheduling.preemption;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.preemption.Clearing.Chosen;
import io.muster.scheduling.preemption.VictimSearch.Found;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.shape.Right;
import io.muster.scheduling.topology.Partition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Clears domains for a gang that a shape covers. The fewest of the cheapest domains are taken whole in which the gang has a
 * place, then whoever it does not need stays: first all of a domain, the dearest first, then one by one. Whoever holds
 * within its share stays before those who hold beyond it.
 */
final class ShapeSearch {
    private final Draft draft;
    private final Candidates candidates;
    private final Right right;
    private final Claimant claimant;
    private final Partition partition;
    private final LevelWish wish;
    private final Claim claim;
    private final Plane plane;
    /** Ranks of those who held within their share before anybody left. */
    private final BitSet within = new BitSet();

    /** Who could leave a domain: GPUs of those within their share, what all lose, and who they are. */
    private record Domain(int from, long spared, long cost, List<Integer> ranks) {
        static final Comparator<Domain> CHEAPEST = Comparator.comparingLong(Domain::spared)
                .thenComparingLong(Domain::cost)
                .thenComparingInt(Domain::from);
    }

    ShapeSearch(
            Draft draft, Candidates candidates, Right right, Claimant claimant, Partition partition, LevelWish wish) {
        this.draft = draft;
        this.candidates = candidates;
        this.right = right;
        this.claimant = claimant;
        this.partition = partition;
        this.wish = wish;
        claim = new Claim(draft, claimant, partition.pool(), false, Integer.MAX_VALUE);
        plane = claim.isGuaranteed() ? draft.room().future() : draft.room().futureStrict();
    }

    /** The place and who leaves it, nobody where it is only reserved for others; null when there is none. */
    @Nullable Found find() {
        var domains = domains();
        int low = 0;
        int high = domains.size();
        if (place(domains) == null) {
            return null;
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (place(domains.subList(0, middle)) == null) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return prove(domains.subList(0, high));
    }

    private List<Domain> domains() {
        var domains = new ArrayList<Domain>();
        var known = new BitSet();
        for (int d = 0; d < partition.domainCount(right.level()); d++) {
            int from = partition.domainFrom(right.level(), d);
            var ranks = new ArrayList<Integer>();
            for (int n = from; n < partition.domainTo(right.level(), d); n++) {
                for (int rank : candidates.on(n)) {
                    var candidate = candidates.get(rank);
                    if (!known.get(rank) && candidate.open() && right.mayAsk(candidate.occupant())) {
                        known.set(rank);
                        within.set(
                                rank, !claim.mayReclaimFrom(candidate.occupant().leaf()));
                        ranks.add(rank);
                    }
                }
            }
            if (!ranks.isEmpty()) {
                domains.add(domain(from, ranks));
            }
        }
        domains.sort(Domain.CHEAPEST);
        return domains;
    }

    private Domain domain(int from, List<Integer> ranks) {
        long spared = 0;
        long cost = 0;
        for (int rank : ranks) {
            spared += within.get(rank) ? candidates.get(rank).occupant().gpus() : 0;
            cost += candidates.get(rank).cost();
        }
        return new Domain(from, spared, cost, ranks);
    }

    /** The gang's place once all of these domains are empty; the draft is left as it was. */
    private @Nullable Layout place(List<Domain> cleared) {
        return trial(clearing -> {
            take(clearing, cleared);
            return place();
        });
    }

    private interface Trial<T> {
        @Nullable T with(Clearing clearing);
    }

    private <T> @Nullable T trial(Trial<T> trial) {
        var clearing = new Clearing(claim, candidates, draft.room(), plane, null, partition.from(), partition.to());
        try (var undone = draft.room().trial()) {
            return trial.with(clearing);
        } finally {
            clearing.undoShares();
        }
    }

    private static void take(Clearing clearing, List<Domain> domains) {
        for (var domain : domains) {
            domain.ranks.forEach(rank -> clearing.take(new Chosen(rank, Cause.SHAPE)));
        }
    }

    private @Nullable Layout place() {
        return claim.isLetIn()
                ? draft.placer().place(claimant.gang(), partition, wish, plane, claimant.excluded())
                : null;
    }

    private @Nullable Found prove(List<Domain> domains) {
        return trial(clearing -> {
            take(clearing, domains);
            for (var domain : domains.reversed()) {
                spareAll(clearing, domain);
            }
            var dearest = new ArrayList<>(clearing.chosen());
            dearest.sort(Comparator.comparing((Chosen v) -> within.get(v.rank()))
                    .thenComparingInt(Chosen::rank)
                    .reversed());
            for (var victim : dearest) {
                if (clearing.isTaken(victim.rank()) && !clearing.isImplied(victim)) {
                    clearing.spare(victim);
                    if (place() == null) {
                        clearing.take(victim);
                    }
                }
            }
            var layout = place();
            var victims = VictimSearch.taken(draft, candidates, clearing.chosen());
            return layout == null ? null : new Found(layout, victims, victims.isEmpty() && isFree(layout));
        });
    }

    private void spareAll(Clearing clearing, Domain domain) {
        var victims = clearing.chosen().stream()
                .filter(v -> domain.ranks.contains(v.rank()))
                .toList();
        victims.reversed().forEach(clearing::spare);
        if (place() == null) {
            victims.forEach(clearing::take);
        }
    }

    private boolean isFree(Layout layout) {
        return layout.spots().stream().allMatch(s -> draft.room().now().fits(s.node(), s.amount()));
    }
}
