package io.muster.scheduling;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.ordering.InnerOrder;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.preemption.Taken;
import io.muster.scheduling.preemption.VictimSearch;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.topology.Partition;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds victims for claimants within the pool's rate, and asks them to leave. */
final class Eviction {
    private final Draft draft;
    private final InnerOrder order;
    private final VictimSearch search;
    private final int[] budget;
    private final Set<Failure> failures = new HashSet<>();

    /** Who takes from whom depends on the claimant's team, priority and rank besides its shape, and where users are capped on the user. */
    private record Failure(
            int shape, int partition, int level, int leaf, int user, int priority, double rank, boolean firm) {}

    Eviction(Draft draft, Gates gates) {
        this.draft = draft;
        order = new InnerOrder(draft.problem());
        search = new VictimSearch(draft);
        budget = new int[draft.shares().size()];
        for (int pool = 0; pool < budget.length; pool++) {
            long most = (long) draft.shares(pool).capacity()
                    * draft.problem().settings().reclaimPercent()
                    / 100;
            budget[pool] = (int) Math.max(0, most - draft.problem().reclaimedLately(pool));
        }
    }

    VictimSearch.@Nullable Found find(Claimant claimant, Partition partition, LevelWish wish, boolean ownsReservation) {
        if (!search.isConceivable(claimant, partition, ownsReservation, budget[partition.pool()])) {
            return null;
        }
        boolean shared = claimant.excluded() == null && !ownsReservation;
        var failure = shared ? failure(claimant, partition, wish) : null;
        if (failure != null && failures.contains(failure)) {
            return null;
        }
        var found = search.search(claimant, partition, wish, ownsReservation, budget[partition.pool()]);
        if (found == null && failure != null) {
            failures.add(failure);
        }
        return found;
    }

    private Failure failure(Claimant claimant, Partition partition, LevelWish wish) {
        boolean capped = draft.problem().tree().team(claimant.leaf()).userCap() != null;
        return new Failure(
                claimant.shape(),
                partition.number(),
                wish.coarsest(),
                claimant.leaf(),
                capped ? claimant.user() : -1,
                claimant.facts().priority(),
                order.rank(claimant),
                !claimant.facts().preemptible());
    }

    /** Lower jobs of the claimant's own team, wherever they run, that keep it from {@code layout}, which is free. */
    VictimSearch.@Nullable Found findShare(Claimant claimant, Layout layout, boolean ownsReservation) {
        return search.searchShare(
                claimant, layout, ownsReservation, budget[layout.partition().pool()]);
    }

    /** Who must leave domains that a shape of the claimant's team covers; null when that helps nothing. */
    VictimSearch.@Nullable Found findInShape(Claimant claimant, Partition partition, LevelWish wish) {
        return search.searchShape(claimant, partition, wish);
    }

    long searches() {
        return search.searches();
    }

    void forgetFailures() {
        failures.clear();
    }

    void ask(Claimant claimant, VictimSearch.Found found) {
        int pool = found.layout().partition().pool();
        boolean guaranteed = draft.holdings().isGuaranteed(claimant, pool);
        for (var victim : found.victims()) {
            var occupant = victim.occupant();
            if (victim.cause() == Cause.RECLAIM && !guaranteed) {
                budget[pool] -= victim.gpusFreed();
            }
            var request = new Decision.RequestCheckpoint(
                    occupant.id(),
                    occupant.job().attempt(),
                    claimant.id(),
                    victim.cause(),
                    victim.gpusFreed(),
                    victim.cost(),
                    guaranteed);
            var smaller = victim.left().isEmpty() ? null : smaller(victim);
            if (smaller == null) {
                draft.evict(occupant, request);
            } else {
                draft.resize(occupant, smaller, victim.left(), request);
            }
        }
    }

    /** The elastic victim as it goes on. */
    private @Nullable Claimant smaller(Taken victim) {
        var whole = draft.problem().returning(victim.occupant());
        return whole == null ? null : draft.problem().sizedAs(whole, victim.left());
    }
}
