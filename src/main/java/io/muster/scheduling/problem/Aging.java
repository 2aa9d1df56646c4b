package io.muster.scheduling.problem;

import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.WaitingJob;
import java.time.Instant;

/**
 * What waiting adds to a job's priority: one whole class once it is worth that much. Steps short of a class do not count,
 * so that users of one class take turns whatever the age of their jobs.
 */
final class Aging {
    private Aging() {}

    /** When the job has waited for a class; {@link Instant#MAX}: never. */
    static Instant earnedAt(WaitingJob job, PolicySettings settings) {
        int most = settings.agingMost();
        int perStep = settings.agingPerStep();
        if (most <= 0 || perStep <= 0 || settings.agingStep().isZero()) {
            return Instant.MAX;
        }
        long steps = ((long) most + perStep - 1) / perStep;
        return job.facts().submittedAt().plus(settings.agingStep().multipliedBy(steps));
    }

    static int priority(WaitingJob job, PolicySettings settings, Instant asOf) {
        boolean earned = !asOf.isBefore(earnedAt(job, settings));
        return job.facts().priority() + (earned ? settings.agingMost() : 0);
    }
}
