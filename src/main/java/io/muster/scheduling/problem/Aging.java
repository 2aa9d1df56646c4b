package io.muster.scheduling.problem;

import io.muster.model.TeamOrder;
import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.WaitingJob;
import java.time.Instant;

/**
 * What waiting adds to a job's priority: one whole class once it is worth that much. Steps short of a class do not count,
 * so that users of one class take turns whatever the age of their jobs. Where jobs take turns through checkpoints, waiting
 * adds nothing: it would start those whom the order puts last, and who yield again to everybody as soon as they may.
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
        boolean ages = order == TeamOrder.FIFO && most > 0 && perStep > 0;
        if (!ages || settings.agingStep().isZero()) {
            return Instant.MAX;
        }
        long steps = ((long) most + perStep - 1) / perStep;
        return job.facts().submittedAt().plus(settings.agingStep().multipliedBy(steps));
    }

    static int priority(WaitingJob job, TeamOrder order, PolicySettings settings, Instant asOf) {
        boolean earned = !asOf.isBefore(earnedAt(job, order, settings));
        return job.facts().priority() + (earned ? settings.agingMost() : 0);
    }
}
