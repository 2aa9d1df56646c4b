package io.muster.simulation;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that recurs, so that what happened in a window is counted and not walked through.
 *
 * @param origin the k-th time is {@code origin + k * period}, from k = 1
 * @param period how far apart
 * @param delay how much later than that it is told
 * @param end nothing after it, or null: no end is known
 */
record Recurring(
        Instant origin,
        Duration period,
        Duration delay,
        @Nullable Instant end) {

    /** How often it happened up to and including {@code until}. */
    long countUntil(Instant until) {
        Instant bound = end != null && end.isBefore(until) ? end : until;
        long millis = Duration.between(origin, bound).minus(delay).toMillis();
        return millis <= 0 ? 0 : millis / period.toMillis();
    }

    /** When the k-th began; it is told {@code delay} later. */
    Instant begin(long k) {
        return origin.plusMillis(k * period.toMillis());
    }

    Instant told(long k) {
        return begin(k).plus(delay);
    }

    /** When it is told next after {@code after}, or null: never again. */
    @Nullable Instant nextAfter(Instant after) {
        Instant next = told(countUntil(after) + 1);
        return end != null && next.isAfter(end) ? null : next;
    }
}
