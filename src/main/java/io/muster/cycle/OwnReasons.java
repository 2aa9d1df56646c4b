package io.muster.cycle;

import io.muster.job.LedgerJob;
import io.muster.model.Explanation;
import io.muster.model.JobState;
import io.muster.model.Reason;
import java.time.Instant;
import java.util.List;

/** Why a job waits of which no plan says anything: it is held, or no plan has seen it yet. */
final class OwnReasons {
    private OwnReasons() {}

    static Explanation of(LedgerJob job, Instant asOf) {
        return job.life().state() == JobState.HELD ? held(job, asOf) : notYetPlanned(job, asOf);
    }

    static Explanation held(LedgerJob job, Instant asOf) {
        String why = job.past().holdWhy();
        return alone(job, asOf, new Reason.Held(why == null ? "held" : why));
    }

    static Explanation notYetPlanned(LedgerJob job, Instant asOf) {
        return alone(job, asOf, new Reason.NotYetPlanned());
    }

    private static Explanation alone(LedgerJob job, Instant asOf, Reason reason) {
        return new Explanation(job.id(), asOf, List.of(reason), 0, List.of(), null, null, List.of());
    }
}
