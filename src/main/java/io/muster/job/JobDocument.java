package io.muster.job;

import io.muster.model.CheckpointWay;
import io.muster.model.GpuTypeId;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.model.Slices;
import io.muster.model.TeamPath;
import io.muster.model.TopologyRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The job document after parsing and validation, defaults of the team filled in; the same in YAML, JSON, the form and
 * Python. Every list is in the document's order.
 *
 * @param name a label, not an id
 * @param groups at least one; a document with plain {@code replicas} has one group named {@code worker}
 * @param gpuTypes acceptable types in order of preference; empty: any
 * @param minGpuMemoryMib least nominal memory of one GPU; 0: any
 * @param pool the one pool asked for, or null: any that the team may use
 * @param walltime over all attempts' running time, or null: no bound
 * @param userRetries retries on the user's own failures
 */
public record JobDocument(
        String name,
        TeamPath team,
        String priority,
        List<Group> groups,
        List<GpuTypeId> gpuTypes,
        long minGpuMemoryMib,
        @Nullable PoolId pool,
        TopologyRequest topology,
        @Nullable Duration walltime,
        boolean preemptible,
        Checkpoint checkpoint,
        int userRetries,
        List<Data> data,
        SortedMap<String, String> labels) {

    /** The name of the one group of a document that lists none. */
    public static final String PLAIN_GROUP = "worker";

    public JobDocument {
        groups = List.copyOf(groups);
        gpuTypes = List.copyOf(gpuTypes);
        data = List.copyOf(data);
    }

    /**
     * Equal replicas; {@code command} in exec form, empty: the image's own; {@code slices} null: none.
     *
     * @param min the fewest replicas it can work with; less than {@code replicas}: it is elastic
     */
    public record Group(
            String name,
            int replicas,
            int min,
            Resources each,
            long sharedMemoryBytes,
            String image,
            List<String> command,
            @Nullable String workdir,
            Map<String, String> env,
            @Nullable Slices slices) {
        public Group {
            command = List.copyOf(command);
            env = Map.copyOf(env);
        }

        /** A group without slices that is not elastic. */
        public Group(
                String name,
                int replicas,
                Resources each,
                long sharedMemoryBytes,
                String image,
                List<String> command,
                @Nullable String workdir,
                Map<String, String> env) {
            this(name, replicas, replicas, each, sharedMemoryBytes, image, command, workdir, env, null);
        }

        /** The same with other numbers; slices that do not make these replicas are left out. */
        Group of(int replicas, int min, Resources each) {
            var made = slices == null || replicas % slices.size() != 0 ? null : slices;
            return new Group(name, replicas, min, each, sharedMemoryBytes, image, command, workdir, env, made);
        }

        Group withoutSlices() {
            return new Group(name, replicas, min, each, sharedMemoryBytes, image, command, workdir, env, null);
        }

        /** True when it may run with fewer replicas than it asks for. */
        public boolean isElastic() {
            return min < replicas;
        }
    }

    /** How it saves; {@code path} null: it does not checkpoint and starts anew when preempted. */
    public record Checkpoint(
            CheckpointWay by,
            Duration grace,
            @Nullable Duration every,
            @Nullable String path) {}

    /** Something to mount at {@code at}. */
    public sealed interface Data {
        String at();

        record Volume(String volume, String at, boolean readOnly) implements Data {}

        record Scratch(long bytes, String at) implements Data {}
    }

    JobDocument withPriority(String to) {
        return with(to, groups, gpuTypes, minGpuMemoryMib, walltime);
    }

    JobDocument withWalltime(Duration to) {
        return with(priority, groups, gpuTypes, minGpuMemoryMib, to);
    }

    JobDocument withGroups(List<Group> to) {
        return with(priority, to, gpuTypes, minGpuMemoryMib, walltime);
    }

    JobDocument withAnyGpu() {
        return with(priority, groups, List.of(), 0, walltime);
    }

    private JobDocument with(
            String toPriority,
            List<Group> toGroups,
            List<GpuTypeId> toTypes,
            long toGpuMemoryMib,
            @Nullable Duration toWalltime) {
        return new JobDocument(
                name,
                team,
                toPriority,
                toGroups,
                toTypes,
                toGpuMemoryMib,
                pool,
                topology,
                toWalltime,
                preemptible,
                checkpoint,
                userRetries,
                data,
                labels);
    }

    public int gpus() {
        return groups.stream()
                .mapToInt(g -> Math.multiplyExact(g.replicas(), g.each().gpus()))
                .sum();
    }

    public int replicas() {
        return groups.stream().mapToInt(Group::replicas).sum();
    }

    /** The fewest replicas it runs with. */
    public int minReplicas() {
        return groups.stream().mapToInt(Group::min).sum();
    }
}
