package io.muster.scheduling.plan;

import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.WaitingJob;
import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** When time alone may change a plan, though nothing happens; for whoever drives the core on a clock of its own. */
public final class Moments {
    private final Instant now;
    private @Nullable Instant next;

    private Moments(Instant now) {
        this.now = now;
    }

    /** The first moment after {@code now}: somebody may be taken, a kept start comes or ends, a wait is over; or null. */
    public static @Nullable Instant next(
            Instant now,
            PolicySettings settings,
            Collection<WaitingJob> waiting,
            Collection<RunningJob> running,
            Collection<ReservationView> reservations) {
        var moments = new Moments(now);
        for (var job : running) {
            var since = job.runningSince();
            moments.offer(since == null ? null : since.plus(settings.minRuntime()));
            moments.offer(job.protectedUntil());
        }
        for (var kept : reservations) {
            moments.offer(kept.startAt());
            moments.offer(kept.expiresAt());
        }
        for (var job : waiting) {
            moments.offer(job.backoff() == null ? null : job.backoff().until());
            moments.offer(job.patientUntil());
        }
        return moments.next;
    }

    private void offer(@Nullable Instant at) {
        if (at != null && at.isAfter(now) && (next == null || at.isBefore(next))) {
            next = at;
        }
    }
}
