package io.muster.job;

import io.muster.model.FailureClass;
import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A replica's row: one pod, and what it holds of its node until {@code releasedAt}.
 *
 * @param rankOrder its place among the replicas of the gang, from 0
 * @param seenAt the cluster's time of what is known, or null: nothing heard yet
 * @param releasedAt when its GPUs came free, proven, or null
 */
public record LedgerReplica(
        ReplicaId id,
        int rankOrder,
        NodeId node,
        Resources amount,
        Stage stage,
        @Nullable String reason,
        @Nullable Integer exitCode,
        @Nullable FailureClass failure,
        @Nullable String message,
        @Nullable Instant seenAt,
        @Nullable Instant startedAt,
        @Nullable Instant releasedAt) {

    /** Where a pod is, from planned to gone; a pod never goes back. */
    public enum Stage {
        PLANNED,
        PENDING,
        PULLING,
        RUNNING,
        TERMINATING,
        SUCCEEDED,
        FAILED,
        GONE;

        /** True when the pod cannot run any more, so that its GPUs are free. */
        public boolean isOver() {
            return this == SUCCEEDED || this == FAILED || this == GONE;
        }
    }

    public boolean isReleased() {
        return releasedAt != null;
    }

    public ReplicaPlacement placement() {
        return new ReplicaPlacement(id.group(), id.index(), node, amount);
    }
}
