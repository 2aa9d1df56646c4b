package io.muster.scheduling.snapshot;

import java.time.Duration;

/**
 * What a job has had so far, for the orders inside a team; of no account under {@code FIFO}.
 *
 * @param ran running time of all its attempts, the present one up to the snapshot included
 * @param nextEnd running time that one more end of its kind costs after so much, at best, as
 *     {@link io.muster.scheduling.ordering.RunTimeHistory} learned it; never negative
 */
public record Service(Duration ran, Duration nextEnd) {
    public static final Service NONE = new Service(Duration.ZERO, Duration.ZERO);
}
