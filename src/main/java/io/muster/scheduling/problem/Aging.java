package io.muster.scheduling.problem;

import io.muster.model.TeamOrder;
import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.WaitingJob;
import java.time.Instant;

/**
 * What waiting adds to a job's priority: one whole class once it is worth that much. Steps short of a class do not count,
 * so that users of one class take turns whatever the age of their jobs. Where jobs take turns through checkpoints, only the
 * present wait counts: else all that are old would pass all that had little.
 */
final class Aging {
    private Aging() {}

    /** The order of the job's team; of one that nobody knows, as if it were first come, first served. */
    static TeamOrder order(WaitingJob job, TeamTree tree) {
        int leaf = tree.leaf(job.facts().team());
        return leaf < 0 ? TeamOrder.FIFO : tree.team(leaf).order();
    }

    /** When the job has waited for a class; {@link Instant#MAX}: never. */
    static Instant earnedAt(WaitingJob job, TeamOrder order, PolicySettings settings) {
        int most = settings.agingMost();
        int perStep = settings.agingPerStep();
        if (most <= 0 || perStep <= 0 || settings.agingStep().isZero()) {
            return Instant.MAX;
        }
        long steps = ((long) most + perStep - 1) / perStep;
        var since = order == TeamOrder.FIFO ? job.facts().submittedAt() : job.waitingSince();
        return since.plus(settings.agingStep().multipliedBy(steps));
    }

    static int priority(WaitingJob job, TeamOrder order, PolicySettings settings, Instant asOf) {
        boolean earned = !asOf.isBefore(earnedAt(job, order, settings));
        return job.facts().priority() + (earned ? settings.agingMost() : 0);
    }
}
