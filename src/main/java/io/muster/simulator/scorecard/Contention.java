package io.muster.simulator.scorecard;

import io.muster.simulator.engine.SimulatedJob;
import java.util.Arrays;
import java.util.List;

/**
 * How many jobs' worth of the machine those present asked for: max(1, GPUs asked by all present / GPUs there are), as a
 * function of time (finish-time fairness of Themis, as Shockwave measures it).
 */
final class Contention {
    private final long[] at;
    private final double[] level;
    private final double[] sum;

    Contention(List<SimulatedJob> jobs, int gpus) {
        long[][] changes = new long[jobs.size() * 2][];
        int n = 0;
        for (var job : jobs) {
            changes[n++] = new long[] {job.submitted(), job.gpus()};
            changes[n++] = new long[] {job.ended(), -job.gpus()};
        }
        Arrays.sort(changes, (a, b) -> a[0] != b[0] ? Long.compare(a[0], b[0]) : Long.compare(a[1], b[1]));
        at = new long[n];
        level = new double[n];
        sum = new double[n];
        long asked = 0;
        for (int i = 0; i < n; i++) {
            at[i] = changes[i][0];
            asked += changes[i][1];
            level[i] = Math.max(1, (double) asked / Math.max(1, gpus));
            // Jobs that never end keep asking; nothing is summed beyond.
            sum[i] = i == 0 || at[i] == SimulatedJob.NEVER
                    ? 0
                    : sum[i - 1] + level[i - 1] * ((at[i] - at[i - 1]) / 1000.0);
        }
    }

    /** The mean over {@code [from, to)}. */
    double mean(long from, long to) {
        return to <= from ? 1 : (upTo(to) - upTo(from)) / ((to - from) / 1000.0);
    }

    private double upTo(long time) {
        int low = 0;
        int high = at.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (at[middle] <= time) low = middle + 1;
            else high = middle;
        }
        return low == 0 ? 0 : sum[low - 1] + level[low - 1] * ((time - at[low - 1]) / 1000.0);
    }
}
