package io.muster.job;

import io.muster.lifecycle.Life;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.JobId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The one way to change a job's state. */
public interface JobLedger {

    /**
     * Applies an event to a job in the caller's transaction (or its own): locks the row, asks the lifecycle, writes the
     * new state, its event and whatever follows for the attempt, and publishes {@link JobMoved}.
     *
     * <p>A request to save goes the job's own way: one that saves on SIGTERM, or not at all, is told to stop instead, and
     * "checkpoint now" is refused.
     */
    Applied apply(JobId job, LifecycleEvent event, Cause cause);

    /**
     * Applies one event to each of many jobs, all in one transaction, with few statements.
     *
     * @return what became of each, in the order of {@code changes}
     * @throws IllegalArgumentException when a job is named twice
     */
    Map<JobId, Applied> applyAll(List<Change> changes);

    /**
     * One change of many.
     *
     * @param version the version that the decision was made on: a job that changed since is refused; null: any
     * @param beneficiary for whom the job is to yield, or null
     */
    record Change(
            JobId job,
            @Nullable Long version,
            LifecycleEvent event,
            Cause cause,
            @Nullable JobId beneficiary) {}

    /** What became of it. */
    sealed interface Applied {
        record Moved(Life from, Life to) implements Applied {}

        record Unchanged(Life at) implements Applied {}

        record Refused(Life at) implements Applied {}

        record NoSuchJob() implements Applied {}
    }
}
