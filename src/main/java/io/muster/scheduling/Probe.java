package io.muster.scheduling;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.preemption.Taken;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.ReservationView;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a job that waits would get if it asked for something else, tried in a finished draft, which is left as it was. */
final class Probe {
    private final Draft draft;
    private final Gates gates;
    private final Desk desk;

    Probe(Draft draft, Gates gates, Desk desk) {
        this.draft = draft;
        this.gates = gates;
        this.desk = desk;
    }

    /** A place, and who leaves it first. */
    record Answer(Layout layout, List<Taken> victims) {}

    /** The start that {@code job} would be given if it were {@code changed}, or null. What is kept for it does not count. */
    @Nullable Answer ask(Claimant job, JobFacts changed) {
        var other = draft.problem().changed(job, changed);
        if (other == null || gates.closed(job) != null || gates.backoff(job) != null) {
            return null;
        }
        var head = draft.heads().remove(job);
        var promise = draft.promiseOf(job.id());
        var kept = promise == null ? null : draft.problem().sizedAs(job, promise.placements());
        if (kept != null && promise != null) {
            draft.closePromise(kept, promise, pool(promise));
        }
        draft.holdings().want(job, other);
        try {
            return answer(other);
        } finally {
            draft.holdings().want(other, job);
            if (head != null) {
                draft.heads().add(head);
            }
            if (kept != null && promise != null) {
                draft.openPromise(kept, promise, pool(promise));
            }
        }
    }

    private @Nullable Answer answer(Claimant whole) {
        var other = draft.problem().smallest(whole);
        desk.forgetFailures();
        var opening = desk.openings().first(other, null, false);
        if (opening != null) {
            return new Answer(opening.layout(), List.of());
        }
        var found = desk.takings().any(other, false);
        return found == null ? null : new Answer(found.layout(), found.victims());
    }

    private int pool(ReservationView promise) {
        return draft.problem()
                .fleet()
                .poolNumber(Objects.requireNonNull(promise).pool());
    }
}
