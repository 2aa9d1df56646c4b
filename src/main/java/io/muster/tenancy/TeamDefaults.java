package io.muster.tenancy;

import io.muster.model.TeamOrder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What fills in or bounds a job of a team; each value the nearest team up the tree that sets it. Null: nothing set.
 *
 * @param cpuMillisPerGpu CPU of a replica per GPU when the document gives none, in thousandths
 * @param memoryBytesPerGpu memory of a replica per GPU when the document gives none
 * @param sharedMemoryBytes size of /dev/shm when the document gives none
 * @param walltime walltime when the document gives none
 * @param maxWalltime the longest that may be asked for
 * @param imageAllowlist image prefixes that are allowed ({@code registry/repository}); empty: every image
 * @param userGpuCap most GPUs one user may hold in the team and one pool
 * @param userQueueCap most jobs one user may have waiting in the team
 * @param order which of its jobs goes first; where no team says so, the policy does
 */
public record TeamDefaults(
        @Nullable Long cpuMillisPerGpu,
        @Nullable Long memoryBytesPerGpu,
        @Nullable Long sharedMemoryBytes,
        @Nullable Duration walltime,
        @Nullable Duration maxWalltime,
        List<String> imageAllowlist,
        @Nullable Integer userGpuCap,
        @Nullable Integer userQueueCap,
        @Nullable TeamOrder order) {
    public static final TeamDefaults NONE = new TeamDefaults(null, null, null, null, null, List.of(), null, null, null);

    /** Without an order. */
    public TeamDefaults(
            @Nullable Long cpuMillisPerGpu,
            @Nullable Long memoryBytesPerGpu,
            @Nullable Long sharedMemoryBytes,
            @Nullable Duration walltime,
            @Nullable Duration maxWalltime,
            List<String> imageAllowlist,
            @Nullable Integer userGpuCap,
            @Nullable Integer userQueueCap) {
        this(
                cpuMillisPerGpu,
                memoryBytesPerGpu,
                sharedMemoryBytes,
                walltime,
                maxWalltime,
                imageAllowlist,
                userGpuCap,
                userQueueCap,
                null);
    }

    public TeamDefaults {
        imageAllowlist = List.copyOf(imageAllowlist);
    }
}
