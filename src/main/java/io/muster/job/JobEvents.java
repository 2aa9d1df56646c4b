package io.muster.job;

import io.muster.model.JobId;

/** Appends to the history of a job, in the caller's transaction; server-sent events tail it. */
public interface JobEvents {

    /**
     * Appends an event that is no change of state.
     *
     * @param attempt the attempt it belongs to, 0: none
     * @param kind a stable word: checkpoint-saved, reservation-made, replica-running, document-changed, ...
     */
    void append(JobId job, int attempt, String kind, Cause cause);

    /** Appends an event, unless the job's history says the very same already. */
    void appendOnce(JobId job, int attempt, String kind, Cause cause);
}
