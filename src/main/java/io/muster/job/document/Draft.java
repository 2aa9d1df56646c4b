package io.muster.job.document;

import io.muster.model.CheckpointWay;
import java.time.Duration;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** A document as read: types and bounds hold, whatever was not given is null. */
public record Draft(
        @Nullable String name,
        @Nullable String team,
        @Nullable String priority,
        List<Group> groups,
        List<String> gpuTypes,
        @Nullable Long minGpuMemoryMib,
        @Nullable String pool,
        @Nullable String require,
        @Nullable String prefer,
        @Nullable Duration patience,
        @Nullable Duration walltime,
        @Nullable Boolean preemptible,
        @Nullable CheckpointWay by,
        @Nullable Duration grace,
        @Nullable Duration every,
        @Nullable String checkpointPath,
        int userRetries,
        List<Mount> data,
        SequencedMap<String, String> labels) {

    /** A group; {@code path} is where its fields stand, empty for the one group of a plain document. */
    public record Group(
            String path,
            String name,
            int replicas,
            int min,
            int gpus,
            @Nullable Long cpuMillis,
            @Nullable Long memoryBytes,
            @Nullable Long sharedMemoryBytes,
            String image,
            List<String> command,
            @Nullable String workdir,
            SequencedMap<String, String> env,
            @Nullable Slicing slices) {}

    /** Slices; {@code path} is where their fields stand. */
    public record Slicing(String path, int size, String level) {}

    /** Something to mount: exactly one of {@code volume} and {@code scratchBytes}. */
    public record Mount(
            String path,
            @Nullable String volume,
            @Nullable Long scratchBytes,
            String at,
            @Nullable Boolean readOnly) {}
}
