package io.muster.web.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first screen in one call.
 *
 * @param medianWaitSeconds of starts in the last 24 hours, null: none
 * @param p95WaitSeconds likewise
 * @param mine the reader's jobs that are not ended, and those that ended in the last day, newest first, at most 50
 * @param needsMe what asks for the reader's attention
 */
public record OverviewView(
        List<PoolView> pools,
        int waitingJobs,
        int waitingGpus,
        int runningJobs,
        @Nullable Long medianWaitSeconds,
        @Nullable Long p95WaitSeconds,
        List<JobSummary> mine,
        List<Notice> needsMe,
        ModeView mode) {

    /**
     * Kinds: yielding, failed, never-fits, walltime-soon, hung, held, node-problem.
     *
     * @param sentence in English, for command lines; the UI makes its own of what follows
     * @param beneficiary of a job that yields: for which
     * @param at by when a job that yields must have saved, when one comes to its end, since when one says nothing
     * @param reason of a job that can never start
     * @param problem of a node: unreachable, not-ready or gpus-lost
     * @param detail what the node says of itself
     * @param gpus that the node still offers
     * @param gpusOf that it has
     */
    public record Notice(
            String kind,
            @Nullable Long job,
            @Nullable String node,
            String sentence,
            @Nullable Long beneficiary,
            @Nullable Instant at,
            @Nullable ReasonView reason,
            @Nullable String problem,
            @Nullable String detail,
            @Nullable Integer gpus,
            @Nullable Integer gpusOf) {}
}
