package io.muster.scheduling.snapshot;

import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A job that holds GPUs.
 *
 * @param state STARTING, RUNNING, CHECKPOINTING or STOPPING
 * @param placements every replica that is not proven gone; its resources count on its node
 * @param startedAt when the plan placed it
 * @param runningSince when all its replicas ran, or null: not yet
 * @param lastCheckpointAt when it last acknowledged a checkpoint in this attempt, or null
 * @param restartTime measured time from start to the first step, zero when unknown
 * @param expectedEnd when it is expected to be gone: of one that leaves, the deadline that it was given; or null
 * @param backfilled it runs on room kept for others and yields first
 * @param leavingFor the job for which it was asked to yield, or null
 * @param leaving true when it saves or stops and will not go on running (CHECKPOINTING to run on is not leaving)
 * @param preemptionsToday how often it was preempted in the last 24 hours
 * @param protectedUntil no victim before this, or null
 * @param excludedNodes nodes to which it does not go when it starts again
 * @param service what it had so far, this attempt included
 */
public record RunningJob(
        JobFacts facts,
        AttemptId attempt,
        JobState state,
        PoolId pool,
        List<ReplicaPlacement> placements,
        Instant startedAt,
        @Nullable Instant runningSince,
        @Nullable Instant lastCheckpointAt,
        Duration restartTime,
        @Nullable Instant expectedEnd,
        boolean backfilled,
        @Nullable JobId leavingFor,
        boolean leaving,
        int preemptionsToday,
        @Nullable Instant protectedUntil,
        Set<NodeId> excludedNodes,
        Service service) {
    public RunningJob {
        placements = List.copyOf(placements);
        excludedNodes = Set.copyOf(excludedNodes);
    }

    /** A job that may start again on any node. */
    public RunningJob(
            JobFacts facts,
            AttemptId attempt,
            JobState state,
            PoolId pool,
            List<ReplicaPlacement> placements,
            Instant startedAt,
            @Nullable Instant runningSince,
            @Nullable Instant lastCheckpointAt,
            Duration restartTime,
            @Nullable Instant expectedEnd,
            boolean backfilled,
            @Nullable JobId leavingFor,
            boolean leaving,
            int preemptionsToday,
            @Nullable Instant protectedUntil) {
        this(
                facts,
                attempt,
                state,
                pool,
                placements,
                startedAt,
                runningSince,
                lastCheckpointAt,
                restartTime,
                expectedEnd,
                backfilled,
                leavingFor,
                leaving,
                preemptionsToday,
                protectedUntil,
                Set.of());
    }

    /** A job whose service does not matter. */
    public RunningJob(
            JobFacts facts,
            AttemptId attempt,
            JobState state,
            PoolId pool,
            List<ReplicaPlacement> placements,
            Instant startedAt,
            @Nullable Instant runningSince,
            @Nullable Instant lastCheckpointAt,
            Duration restartTime,
            @Nullable Instant expectedEnd,
            boolean backfilled,
            @Nullable JobId leavingFor,
            boolean leaving,
            int preemptionsToday,
            @Nullable Instant protectedUntil,
            Set<NodeId> excludedNodes) {
        this(
                facts,
                attempt,
                state,
                pool,
                placements,
                startedAt,
                runningSince,
                lastCheckpointAt,
                restartTime,
                expectedEnd,
                backfilled,
                leavingFor,
                leaving,
                preemptionsToday,
                protectedUntil,
                excludedNodes,
                Service.NONE);
    }

    public JobId id() {
        return facts.id();
    }

    /** GPUs held on nodes now. */
    public int gpusHeld() {
        return placements.stream().mapToInt(p -> p.amount().gpus()).sum();
    }
}
