package io.muster.web.view;

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

    /** Kinds: yielding, failed, never-fits, walltime-soon, hung, held, node-problem. */
    public record Notice(
            String kind, @Nullable Long job, @Nullable String node, String sentence) {}
}
