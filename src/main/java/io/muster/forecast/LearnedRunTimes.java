package io.muster.forecast;

import io.muster.scheduling.ordering.RunTimeHistory;
import io.muster.scheduling.snapshot.JobFacts;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Run times as history has them for jobs of as many GPUs, of the team, of the user; never beyond the walltime, at which a
 * job is stopped. Before anything is known a job may run for any time up to its walltime, or up to what policy assumes.
 */
public final class LearnedRunTimes implements RunTimes {
    /** With fewer ends than this nothing is known. */
    private static final int KNOWN_FROM = 5;

    private final RunTimeHistory history;
    private final Duration assumed;

    /** {@code assumed}: the length of a job without walltime, by policy. */
    public LearnedRunTimes(RunTimeHistory history, Duration assumed) {
        this.history = history;
        this.assumed = assumed;
    }

    /** The kind of a job as the core knows it. */
    public static List<String> kinds(JobFacts job) {
        return RunTimeHistory.kinds(job.gpus(), job.team(), job.user());
    }

    @Override
    public Duration remaining(JobFacts job, Duration ran, @Nullable Duration most, double quantile) {
        if (history.size() >= KNOWN_FROM) {
            return atMost(history.remaining(kinds(job), ran, quantile), most);
        }
        return part(most == null ? left(ran) : most, quantile);
    }

    /** One that has run longer than policy assumes is given as long again. */
    private Duration left(Duration ran) {
        return ran.compareTo(assumed) < 0 ? assumed.minus(ran) : ran;
    }

    private static Duration part(Duration whole, double quantile) {
        return Duration.ofMillis(Math.max(1, Math.round(whole.toMillis() * quantile)));
    }

    private static Duration atMost(Duration learned, @Nullable Duration bound) {
        return bound != null && bound.compareTo(learned) < 0 ? bound : learned;
    }
}
