package io.muster.web.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node with who holds its GPUs, for the map; one entry of {@code gpus} per GPU of its capacity.
 *
 * @param domain one name per level of its pool, its own last
 * @param takesReplicas whether new replicas may go there
 */
public record NodeView(
        String id,
        String pool,
        String gpuType,
        List<String> domain,
        int total,
        int free,
        boolean ready,
        boolean takesReplicas,
        boolean unschedulable,
        @Nullable CordonView cordon,
        List<String> problems,
        long cpuMillis,
        long memoryBytes,
        Instant seenAt,
        List<Cell> gpus) {

    public record CordonView(
            String kind,
            String by,
            Instant since,
            String why,
            @Nullable Instant deadline) {}

    /** {@code status}: busy, reserved, free, foreign, broken or unavailable. */
    public record Cell(
            String status,
            @Nullable Long job,
            @Nullable String name,
            @Nullable String team) {}
}
