package io.muster.simulator.scorecard;

import io.muster.simulator.engine.SimulatedJob;
import java.time.Instant;

/**
 * What became of one job.
 *
 * @param waitSeconds life minus run time: queueing, and what restarts and saves took
 * @param rho finish-time fairness: life over the run time times the mean contention of that life; above 1: unfair
 */
record JobOutcome(SimulatedJob job, double waitSeconds, double lifeSeconds, double rho) {
    private static final double MILLIS = 1000;

    static JobOutcome of(SimulatedJob job, Contention contention) {
        double life = (job.ended() - job.submitted()) / MILLIS;
        double run = job.work() / MILLIS;
        double alone = run * contention.mean(job.submitted(), job.ended());
        return new JobOutcome(job, life - run, life, alone == 0 ? 1 : life / alone);
    }

    int gpus() {
        return job.gpus();
    }

    double lostGpuSeconds() {
        return job.lost() / MILLIS * job.gpus();
    }

    static String time(long millis) {
        return millis == SimulatedJob.NEVER ? "" : Instant.ofEpochMilli(millis).toString();
    }
}
