package io.muster.job;

import io.muster.lifecycle.Life;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job's row, as the ledger and the loop see it; what people typed is in its document.
 *
 * @param revision the document in force
 * @param gpus GPUs of the whole gang
 * @param replicas pods of the whole gang
 * @param attempt number of the newest attempt, 0 before the first
 * @param version grows with every change of the row that matters to a decision
 */
public record LedgerJob(
        JobId id,
        TeamId team,
        UserId user,
        int revision,
        String priorityClass,
        boolean preemptible,
        int gpus,
        int replicas,
        boolean neverFits,
        Life life,
        int attempt,
        Instant submittedAt,
        Instant waitingSince,
        Past past,
        long version) {

    /**
     * What earlier attempts left behind.
     *
     * @param excludedNodes nodes where it failed, the newest last
     * @param notBeside beneficiaries that it was evicted for
     * @param ranSeconds running time of all ended attempts
     * @param preemptedAt when it was preempted in the last 24 hours, oldest first
     * @param resumePath the checkpoint to go on from, or null: from the start
     */
    public record Past(
            @Nullable Instant firstStartedAt,
            @Nullable PoolId pool,
            @Nullable String holdWhy,
            @Nullable Instant backoffUntil,
            @Nullable FailureClass backoffAfter,
            List<NodeId> excludedNodes,
            List<JobId> notBeside,
            long ranSeconds,
            int userRetriesUsed,
            int infrastructureRetriesUsed,
            List<Instant> preemptedAt,
            @Nullable Instant protectedUntil,
            @Nullable String resumePath,
            @Nullable Long resumeStep) {
        public Past {
            excludedNodes = List.copyOf(excludedNodes);
            notBeside = List.copyOf(notBeside);
            preemptedAt = List.copyOf(preemptedAt);
        }
    }
}
