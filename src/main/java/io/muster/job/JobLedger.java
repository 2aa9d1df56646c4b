package io.muster.job;

import io.muster.lifecycle.Life;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.JobId;

/** The one way to change a job's state. */
public interface JobLedger {

    /**
     * Applies an event to a job in the caller's transaction (or its own): locks the row, asks the lifecycle, writes the
     * new state, its event and whatever follows for the attempt, and publishes {@link JobMoved}.
     */
    Applied apply(JobId job, LifecycleEvent event, Cause cause);

    /** What became of it. */
    sealed interface Applied {
        record Moved(Life from, Life to) implements Applied {}

        record Unchanged(Life at) implements Applied {}

        record Refused(Life at) implements Applied {}

        record NoSuchJob() implements Applied {}
    }
}
