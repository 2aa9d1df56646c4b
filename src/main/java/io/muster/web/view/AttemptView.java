package io.muster.web.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One attempt with its replicas, in rank order. */
public record AttemptView(
        int number,
        int revision,
        String pool,
        String gpuType,
        @Nullable String level,
        @Nullable String domain,
        boolean backfilled,
        Instant placedAt,
        @Nullable Instant runningAt,
        @Nullable Instant endedAt,
        @Nullable String failure,
        @Nullable Integer exitCode,
        @Nullable String message,
        @Nullable String firstFailing,
        @Nullable Long resumeStep,
        @Nullable String resumePath,
        @Nullable Long beneficiary,
        @Nullable Instant signalAt,
        @Nullable Instant signalDeadline,
        @Nullable Instant savedAt,
        @Nullable Long lastCheckpointStep,
        @Nullable Instant lastCheckpointAt,
        long lostGpuSeconds,
        List<ReplicaView> replicas) {

    /** {@code name} is {@code group-index}, as the log endpoints take it. */
    public record ReplicaView(
            String name,
            String group,
            int index,
            String node,
            int gpus,
            String phase,
            @Nullable String reason,
            @Nullable Integer exitCode,
            @Nullable String message,
            @Nullable Instant startedAt,
            @Nullable Instant releasedAt) {}
}
