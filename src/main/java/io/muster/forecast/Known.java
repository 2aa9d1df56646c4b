package io.muster.forecast;

import io.muster.model.JobId;
import io.muster.scheduling.snapshot.JobFacts;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * What is known beside the world itself.
 *
 * @param runTimes how long jobs run
 * @param ranBefore how long earlier attempts of a job ran
 * @param arrivals jobs that were submitted within {@code window} before now, each with its {@code submittedAt}: as many
 *     like them are to be expected; may be empty
 * @param window how far back {@code arrivals} goes
 */
public record Known(RunTimes runTimes, Function<JobId, Duration> ranBefore, List<JobFacts> arrivals, Duration window) {
    public Known {
        arrivals = List.copyOf(arrivals);
    }
}
