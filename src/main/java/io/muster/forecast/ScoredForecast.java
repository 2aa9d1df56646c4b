package io.muster.forecast;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a forecast came out.
 *
 * @param madeAt when it was made
 * @param rawP50 what the run ahead had said, before any correction, or null
 * @param rawP90 the same for nine of ten cases
 * @param at the start; or, of a job that still waits, the instant up to which it has waited
 * @param started false: it still waits
 */
public record ScoredForecast(
        Instant madeAt, @Nullable Instant rawP50, @Nullable Instant rawP90, Instant at, boolean started) {
    /** Forecasts are compared to this; nobody needs a start to the second. */
    private static final Duration LEAST = Duration.ofMinutes(1);

    /** How long the wait was as a multiple of what had been said; at least a minute is taken to have been said. */
    static double ratio(Instant madeAt, Instant said, Instant at) {
        return seconds(madeAt, at) / Math.max(LEAST.toSeconds(), seconds(madeAt, said));
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 1000.0;
    }
}
