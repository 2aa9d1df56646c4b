package io.muster.scheduling;

import io.muster.scheduling.backfill.Forecast;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.draft.Head;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.fairshare.Standing;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.topology.Partition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Starts to come of jobs that fit their team's share, but not the machine yet. */
final class HeadStarts {
    private final Draft draft;
    private final Gates gates;
    private final Openings openings;
    private final Forecast forecast;

    HeadStarts(Draft draft, Gates gates, Openings openings) {
        this.draft = draft;
        this.gates = gates;
        this.openings = openings;
        forecast = new Forecast(draft);
    }

    /** The earliest start in sight in the pool in whose order the job stands. */
    Forecast.@Nullable Start earliest(Claimant claimant) {
        Forecast.Start best = null;
        for (var partition : claimant.options()) {
            var wish = wish(claimant, partition);
            var start = wish == null ? null : forecast.earliest(claimant, partition, wish);
            if (start != null && (best == null || start.at().isBefore(best.at()))) {
                best = start;
            }
        }
        return best;
    }

    /** True when that is at once: nobody has to end before it who does not leave already. */
    boolean isAtOnce(Claimant claimant) {
        for (var partition : claimant.options()) {
            var wish = wish(claimant, partition);
            if (wish != null && forecast.isAtOnce(claimant, partition, wish)) {
                return true;
            }
        }
        return false;
    }

    /** What the job wants of the partition; null when it could not start there at any time. */
    private @Nullable LevelWish wish(Claimant claimant, Partition partition) {
        if (partition.pool() != claimant.pool() || gates.isPaused(partition.poolId())) {
            return null;
        }
        var shares = draft.shares(partition.pool());
        return Standing.couldFit(shares, claimant.facts(), claimant.leaf(), claimant.gpus())
                ? openings.wish(claimant, partition)
                : null;
    }

    /** Reserves a start to come. */
    void reserve(Claimant claimant, Forecast.Start start) {
        var placements = claimant.gang().number(start.layout(), draft.problem().fleet());
        var spots = Occupant.spots(placements, draft.problem().fleet());
        var partition = start.layout().partition();
        draft.heads().add(new Head(claimant, partition.pool(), start.at(), spots));
        draft.decide(new Decision.Reserve(
                claimant.id(), partition.poolId(), Decision.Reserve.Kind.HEAD, placements, start.at(), List.of()));
        draft.settle(claimant);
    }
}
