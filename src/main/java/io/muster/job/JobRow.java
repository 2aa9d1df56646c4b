package io.muster.job;

import io.muster.lifecycle.Life;
import io.muster.model.GpuTypeId;
import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.model.Reason;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job as lists show it.
 *
 * @param pool where it runs or ran last, null before
 * @param walltime over all attempts, null: no bound
 * @param ran running time of ended attempts
 * @param ranGpuSeconds the GPU-seconds of that, as large as each attempt was
 * @param now the newest attempt, null before the first
 * @param waiting its place and binding reason while it waits and a cycle has seen it, else null
 */
public record JobRow(
        JobId id,
        TeamId team,
        UserId owner,
        String name,
        int revision,
        String priority,
        boolean preemptible,
        int gpus,
        int replicas,
        List<Shape> shape,
        Map<String, String> labels,
        Life life,
        int attempt,
        Instant submittedAt,
        Instant waitingSince,
        @Nullable Instant firstStartedAt,
        @Nullable Instant endedAt,
        @Nullable PoolId pool,
        @Nullable Duration walltime,
        Duration ran,
        long ranGpuSeconds,
        @Nullable Now now,
        @Nullable Waiting waiting) {

    public JobRow {
        shape = List.copyOf(shape);
        labels = Map.copyOf(labels);
    }

    /** A group: its replicas, the fewest it works with, and the GPUs of one. */
    public record Shape(String group, int replicas, int min, int gpusEach) {}

    /**
     * The newest attempt.
     *
     * @param replicas how many it began with
     * @param gpus the GPUs of all of them
     * @param hungSince it is taken to hang since then, or null: it is not
     */
    public record Now(
            GpuTypeId gpuType,
            int replicas,
            int gpus,
            Instant placedAt,
            @Nullable Instant runningAt,
            @Nullable Progress progress,
            @Nullable JobId beneficiary,
            @Nullable Instant signalDeadline,
            @Nullable Instant savedAt,
            @Nullable Instant hungSince) {}

    public record Progress(
            long step, @Nullable Long of, @Nullable Double loss, Instant at) {}

    public record Waiting(
            int place,
            Reason binding,
            @Nullable Instant expectedStart,
            @Nullable Instant latestStart) {}

    /** The fewest replicas it works with. */
    public int minReplicas() {
        return shape.isEmpty() ? replicas : shape.stream().mapToInt(Shape::min).sum();
    }

    /** When it started: an active job's attempt, an ended job's first one; null while it waits. */
    public @Nullable Instant startedAt() {
        if (life.state().isTerminal()) {
            return firstStartedAt;
        }
        if (now == null || !life.state().isActive()) {
            return null;
        }
        return now.runningAt() == null ? now.placedAt() : now.runningAt();
    }

    /** When its walltime is used up, if it runs and has one. */
    public @Nullable Instant expectedEnd() {
        Instant started = startedAt();
        return walltime == null || started == null || !life.state().isActive()
                ? null
                : started.plus(walltime).minus(ran);
    }
}
