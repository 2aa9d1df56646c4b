package io.muster.forecast;

import io.muster.model.JobId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a job that waits is expected to start.
 *
 * @param madeAt the instant of the world it was made from
 * @param p50 it has started by then with an even chance, or null: nobody knows, or later than {@code laterThan}
 * @param p90 it has started by then in nine of ten cases, or null
 * @param laterThan what is null of the above lies beyond this, or null: there is nothing beyond, or nobody knows
 */
public record StartForecast(
        JobId job,
        Instant madeAt,
        @Nullable Instant p50,
        @Nullable Instant p90,
        @Nullable Instant laterThan) {}
