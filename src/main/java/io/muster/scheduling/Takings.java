package io.muster.scheduling;

import io.muster.model.JobId;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.preemption.VictimSearch;
import io.muster.scheduling.problem.Claimant;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Whom a job could take GPUs from, in the first partition of its preference where that helps. */
final class Takings {
    private final Draft draft;
    private final Gates gates;
    private final Set<JobId> held;
    private final Openings openings;
    private final Eviction eviction;

    /** {@code held}: jobs to which nobody yields. */
    Takings(Draft draft, Gates gates, Set<JobId> held, Openings openings, Eviction eviction) {
        this.draft = draft;
        this.gates = gates;
        this.held = held;
        this.openings = openings;
        this.eviction = eviction;
    }

    /** By share, or else by the shape of its team's guarantee. */
    VictimSearch.@Nullable Found any(Claimant claimant, boolean ownsReservation) {
        var found = reclaimed(claimant, ownsReservation);
        return found == null ? inShape(claimant) : found;
    }

    /** By what teams may hold, and by priority and order inside a team. */
    VictimSearch.@Nullable Found reclaimed(Claimant claimant, boolean ownsReservation) {
        return elsewhere(claimant, c -> reclaimedIn(c, ownsReservation));
    }

    /** Domains of a shape of the job's team, when no share and no move makes a place for it. */
    VictimSearch.@Nullable Found inShape(Claimant claimant) {
        return draft.kept().any() ? elsewhere(claimant, this::inShapeOf) : null;
    }

    /** What is found, where nothing is kept for others if that can be; whether anything is depends on nothing kept. */
    private VictimSearch.@Nullable Found elsewhere(
            Claimant claimant, Function<Claimant, VictimSearch.@Nullable Found> search) {
        var found = search.apply(claimant);
        if (found == null || !draft.kept().isBorrowedBy(claimant, found.layout())) {
            return found;
        }
        var other = search.apply(draft.kept().avoiding(claimant));
        // A place that is free at once is not given up for one that victims must leave: the next pass would start
        // there.
        return other == null || (found.atOnce() && !other.atOnce()) ? found : other;
    }

    private VictimSearch.@Nullable Found inShapeOf(Claimant claimant) {
        if (isBarred(claimant)) {
            return null;
        }
        for (var partition : claimant.options()) {
            var wish = openings.wish(claimant, partition);
            if (wish != null && !gates.isPaused(partition.poolId())) {
                var found = eviction.findInShape(claimant, partition, wish);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** Nobody may be asked to yield to it. */
    private boolean isBarred(Claimant claimant) {
        boolean none = gates.preemptionFrozen() || claimant.job().imageUnseen();
        return none || held.contains(claimant.id());
    }

    private VictimSearch.@Nullable Found reclaimedIn(Claimant claimant, boolean ownsReservation) {
        if (isBarred(claimant)) {
            return null;
        }
        for (var partition : claimant.options()) {
            var wish = openings.wish(claimant, partition);
            if (wish != null && !gates.isPaused(partition.poolId())) {
                var free = openings.mayStart(claimant, partition)
                        ? null
                        : openings.find(claimant, partition, wish, draft.room().strict(), false);
                var found = free == null
                        ? eviction.find(claimant, partition, wish, ownsReservation)
                        : eviction.findShare(claimant, free, ownsReservation);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }
}
