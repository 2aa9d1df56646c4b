package io.muster.forecast;

import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.RunningJob;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One draw of all run times. A job's draw depends on the seed and its id alone, so that the next forecast draws the same
 * and differs only by what has become known.
 */
final class Sample {
    /** By how much run times are longer or shorter than learned, all together: history is never quite like today. */
    private static final double SPREAD = 0.4;

    private final Known known;
    private final long seed;
    private final double scale;

    Sample(Known known, long seed) {
        this.known = known;
        this.seed = seed;
        scale = Math.exp(SPREAD * bell());
    }

    /** Near enough to a normal draw: the sum of twelve even ones. */
    private double bell() {
        double sum = -6;
        for (int i = 1; i <= 12; i++) {
            sum += even(-i);
        }
        return sum;
    }

    /** From where on the past comes again. */
    double shift() {
        return even(0);
    }

    /** How long a job that holds GPUs goes on. */
    Duration remaining(RunningJob job, Instant now) {
        var since = job.runningSince();
        var own = since == null || since.isAfter(now) ? Duration.ZERO : Duration.between(since, now);
        return draw(job.facts(), known.ranBefore().apply(job.id()).plus(own), own);
    }

    /** How long a job that starts runs. */
    Duration whole(JobFacts job) {
        return draw(job, known.ranBefore().apply(job.id()), Duration.ZERO);
    }

    private Duration draw(JobFacts job, Duration ran, Duration inThisAttempt) {
        var most = left(job.walltime(), inThisAttempt);
        var drawn = known.runTimes().remaining(job, ran, most, even(job.id().value()));
        var scaled = Duration.ofMillis(Math.max(1, Math.round(drawn.toMillis() * scale)));
        return most != null && most.compareTo(scaled) < 0 ? most : scaled;
    }

    private static @Nullable Duration left(@Nullable Duration walltime, Duration ran) {
        return walltime == null ? null : walltime.compareTo(ran) > 0 ? walltime.minus(ran) : Duration.ofMillis(1);
    }

    /** Evenly spread over (0, 1); the mixing of SplitMix64 (Steele, Lea, Flood 2014). */
    private double even(long of) {
        long z = seed + of * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        z ^= z >>> 31;
        return ((z >>> 11) + 0.5) * 0x1.0p-53;
    }
}
