package io.muster.simulator.scorecard;

import static io.muster.simulator.engine.SimulatedJob.NEVER;

import io.muster.simulator.engine.Run;
import io.muster.simulator.engine.SimulatedJob;

/**
 * Sums over a whole run.
 *
 * @param preemptions attempts that ended because another job was to have the GPUs
 * @param moves attempts that ended because the job went on elsewhere, so that another found room
 * @param makespanSeconds from the first submission to the last end
 * @param utilisation GPU-seconds of work over GPU-seconds there were
 * @param utilisationUnderLoad the same over the time in which somebody waited
 * @param workGpuHours work done
 * @param lostGpuHours held without working: restarts and saves
 * @param idleWhileWaitingGpuHours GPUs free while somebody waited
 * @param brokenWhileWaitingGpuHours of these, GPUs of nodes that were used in part
 */
public record Totals(
        int jobs,
        int neverEnded,
        int plans,
        int preemptions,
        int moves,
        double makespanSeconds,
        double utilisation,
        double utilisationUnderLoad,
        double workGpuHours,
        double lostGpuHours,
        double idleWhileWaitingGpuHours,
        double brokenWhileWaitingGpuHours) {
    private static final double MILLIS_PER_HOUR = 3_600_000;

    static Totals of(Run run) {
        double work = 0;
        double lost = 0;
        int preemptions = 0;
        int moves = 0;
        int never = 0;
        for (SimulatedJob job : run.jobs()) {
            work += (double) (job.ended() == NEVER ? 0 : job.work()) * job.gpus();
            lost += (double) job.lost() * job.gpus();
            preemptions += job.preemptions();
            moves += Math.max(0, job.attempts() - 1 - job.preemptions());
            never += job.ended() == NEVER ? 1 : 0;
        }
        double idle = 0;
        double broken = 0;
        double loaded = 0;
        double used = 0;
        var t = run.timeline();
        for (int i = 0; i + 1 < t.size(); i++) {
            if (t.waitingJobs(i) == 0) continue;
            double length = t.at(i + 1) - t.at(i);
            idle += length * (run.site().gpus() - t.usedGpus(i));
            broken += length * t.brokenGpus(i);
            loaded += length * run.site().gpus();
            used += length * t.usedGpus(i);
        }
        double there = (double) (run.to() - run.from()) * run.site().gpus();
        return new Totals(
                run.jobs().size(),
                never,
                run.plans(),
                preemptions,
                moves,
                Spread.round((run.to() - run.from()) / 1000.0),
                there == 0 ? 0 : Spread.round(work / there),
                loaded == 0 ? 1 : Spread.round(used / loaded),
                Spread.round(work / MILLIS_PER_HOUR),
                Spread.round(lost / MILLIS_PER_HOUR),
                Spread.round(idle / MILLIS_PER_HOUR),
                Spread.round(broken / MILLIS_PER_HOUR));
    }
}
