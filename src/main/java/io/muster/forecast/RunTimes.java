package io.muster.forecast;

import io.muster.scheduling.snapshot.JobFacts;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is known of how long jobs run. */
public interface RunTimes {
    /**
     * How long a job goes on running.
     *
     * @param ran how long it has run, over all its attempts
     * @param most what is left of its walltime, or null: no bound
     * @param quantile between 0 and 1, both excluded: so many of its like end sooner
     */
    Duration remaining(JobFacts job, Duration ran, @Nullable Duration most, double quantile);
}
