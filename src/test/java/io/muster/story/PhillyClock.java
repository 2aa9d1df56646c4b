package io.muster.story;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** The server's domain clock, as {@code GET /me} tells it, carried on between looks. */
final class PhillyClock {
    private final Supplier<StoryClient> client;
    private volatile Reading reading;

    private record Reading(Instant domain, double scale, long nanos) {
        Instant now() {
            return domain.plusNanos((long) ((System.nanoTime() - nanos) * scale));
        }
    }

    PhillyClock(Supplier<StoryClient> client) {
        this.client = client;
        this.reading = read();
    }

    /** Looks anew: the scale has changed, or the clock stood still. */
    void look() {
        reading = read();
    }

    /** It shows the same until the next look. */
    void stand() {
        reading = new Reading(reading.now(), 0, System.nanoTime());
    }

    Instant now() {
        return reading.now();
    }

    double scale() {
        return reading.scale();
    }

    /** How long to wait, in real time, until the domain clock shows {@code instant}; never more than a second. */
    Duration until(Instant instant) {
        var reading = this.reading;
        // Standing still it is infinitely long, or no time at all.
        double seconds = Duration.between(reading.now(), instant).toMillis() / 1e3 / reading.scale();
        return Duration.ofMillis((long) Math.ceil(Math.clamp(Double.isNaN(seconds) ? 0 : seconds, 0, 1) * 1e3));
    }

    private Reading read() {
        var me = client.get().get("/me");
        return new Reading(
                Instant.parse(me.at("/clusterNow").asString()),
                me.at("/timeScale").asDouble(),
                System.nanoTime());
    }
}
