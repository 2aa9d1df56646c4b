package io.muster.job;

import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import io.muster.model.GpuTypeId;
import io.muster.model.JobId;
import io.muster.model.PoolId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An attempt's row.
 *
 * @param revision the document it runs
 * @param replicas how many it began with
 * @param gpus the GPUs of all of them
 * @param runningAt when all its replicas ran, or null: not yet
 * @param failure how it ended or broke, or null
 * @param beneficiary for whom it was asked to yield, or null
 * @param moves it was asked to yield for a place of its own elsewhere
 * @param signal the save it is asked for now, or null
 * @param lastCheckpointAt when it last acknowledged a checkpoint, or null
 * @param firstStepAt when its first progress came, or null
 * @param lostGpuSeconds work since its last checkpoint that its end threw away
 */
public record LedgerAttempt(
        AttemptId id,
        int revision,
        PoolId pool,
        GpuTypeId gpuType,
        boolean backfilled,
        int replicas,
        int gpus,
        Instant placedAt,
        @Nullable Instant runningAt,
        @Nullable Instant endedAt,
        @Nullable FailureClass failure,
        @Nullable String message,
        @Nullable String resumePath,
        @Nullable Long resumeStep,
        @Nullable JobId beneficiary,
        boolean moves,
        @Nullable Signal signal,
        @Nullable Instant lastCheckpointAt,
        @Nullable Instant firstStepAt,
        boolean programFinished,
        long lostGpuSeconds) {

    /** A request to save, the same for all ranks. */
    public record Signal(UUID id, Instant at, Instant deadline, boolean thenStop) {}
}
