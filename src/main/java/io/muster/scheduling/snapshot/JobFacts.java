package io.muster.scheduling.snapshot;

import io.muster.model.GpuTypeId;
import io.muster.model.GroupShape;
import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.TopologyRequest;
import io.muster.model.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks for; the same while it waits and while it runs.
 *
 * @param priority the class's value
 * @param priorityClass the class's name
 * @param acrossTeams the class may preempt in other teams
 * @param classCap most GPUs of one pool that jobs of an across-teams class may hold by its privilege, or null: no cap
 * @param pools pools it may run in, in order of preference; never empty
 * @param gpuTypes acceptable types in order of preference; empty: any
 * @param minGpuMemoryMib least nominal memory of one GPU in MiB; 0: any
 * @param groups the gang
 * @param walltime how long the present or next attempt may run, counted from {@code runningSince}: the job's walltime
 *     less the running time of its earlier attempts; null: no bound
 * @param grace how long saving may take
 * @param checkpointEvery how often it saves by itself without telling, or null
 */
public record JobFacts(
        JobId id,
        TeamId team,
        UserId user,
        int priority,
        String priorityClass,
        boolean acrossTeams,
        @Nullable Integer classCap,
        Instant submittedAt,
        List<PoolId> pools,
        List<GpuTypeId> gpuTypes,
        long minGpuMemoryMib,
        List<GroupShape> groups,
        TopologyRequest topology,
        boolean preemptible,
        @Nullable Duration walltime,
        Duration grace,
        @Nullable Duration checkpointEvery) {
    public JobFacts {
        pools = List.copyOf(pools);
        gpuTypes = List.copyOf(gpuTypes);
        groups = List.copyOf(groups);
    }

    /** True when it may run with fewer replicas than it asks for. */
    public boolean isElastic() {
        for (var group : groups) {
            if (group.spare() > 0) {
                return true;
            }
        }
        return false;
    }

    /** The same with all its replicas or none. */
    public JobFacts rigid() {
        if (!isElastic()) {
            return this;
        }
        var whole = groups.stream()
                .map(g -> new GroupShape(g.name(), g.replicas(), g.each(), g.slices()))
                .toList();
        return copy(id, submittedAt, whole, walltime);
    }

    /** Another job that asks for the same. */
    public JobFacts again(JobId id, Instant submittedAt) {
        return copy(id, submittedAt, groups, walltime);
    }

    /** The same job that promises to run no longer than {@code walltime}. */
    public JobFacts within(Duration walltime) {
        return copy(id, submittedAt, groups, walltime);
    }

    private JobFacts copy(JobId id, Instant submittedAt, List<GroupShape> groups, @Nullable Duration walltime) {
        return new JobFacts(
                id,
                team,
                user,
                priority,
                priorityClass,
                acrossTeams,
                classCap,
                submittedAt,
                pools,
                gpuTypes,
                minGpuMemoryMib,
                groups,
                topology,
                preemptible,
                walltime,
                grace,
                checkpointEvery);
    }

    /** GPUs of the whole gang. */
    public int gpus() {
        return groups.stream().mapToInt(GroupShape::gpus).reduce(0, Math::addExact);
    }
}
