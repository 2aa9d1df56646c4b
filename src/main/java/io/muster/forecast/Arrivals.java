package io.muster.forecast;

import io.muster.model.JobId;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.WaitingJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who is yet to come: the submissions of the time just past, come again, from a point of it that each sample draws (a
 * block bootstrap: bursts stay bursts, and teams and sizes stay together). Bounded in number.
 */
final class Arrivals {
    private static final Comparator<JobFacts> ORDER =
            Comparator.comparing(JobFacts::submittedAt).thenComparing(JobFacts::id);

    private final List<JobFacts> past;
    private final Instant now;
    private final long window;
    private final long shift;
    private final int most;
    private final long firstId;
    private int next;

    /**
     * @param shift between 0 and 1: from where in the window on it comes again
     * @param most jobs that come
     * @param firstId ids from here on are nobody's
     */
    Arrivals(Known known, Instant now, double shift, int most, long firstId) {
        window = Math.max(1, known.window().toMillis());
        this.now = now;
        this.shift = Math.round(shift * window);
        this.most = known.arrivals().isEmpty() ? 0 : most;
        this.firstId = firstId;
        past = rotated(known.arrivals());
    }

    private List<JobFacts> rotated(List<JobFacts> jobs) {
        var sorted = new ArrayList<>(jobs);
        sorted.sort(Comparator.comparingLong(this::offset).thenComparing(ORDER));
        return sorted;
    }

    /** After how long a job like this one comes first. */
    private long offset(JobFacts job) {
        long since =
                Duration.between(now.minusMillis(window), job.submittedAt()).toMillis();
        return Math.floorMod(since - shift, window);
    }

    private Instant at(int n) {
        return now.plusMillis(window * (n / past.size()) + offset(past.get(n % past.size())) + 1);
    }

    /** When the next one comes, or null. */
    @Nullable Instant next() {
        return next < most ? at(next) : null;
    }

    /** Adds those that have come by {@code until}. */
    void come(Instant until, List<WaitingJob> waiting) {
        while (next < most && !at(next).isAfter(until)) {
            waiting.add(new WaitingJob(again(past.get(next % past.size()), next), at(next), null, Set.of(), Set.of()));
            next++;
        }
    }

    private JobFacts again(JobFacts past, int n) {
        return past.again(new JobId(firstId + n), at(n));
    }
}
