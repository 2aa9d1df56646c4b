package io.muster.web.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One reason why a job waits, flat: the kind says which fields are present.
 *
 * <p>Kinds: never-fits, team-limit, user-limit, quota-in-use, guarantee-in-use, priority, capacity, fragmentation,
 * topology, reserved, waiting-for-victims, held, backoff, paused, preemption-frozen,
 * image-unseen, not-yet-planned.
 *
 * @param sentence the reason in one English sentence with its numbers, for command lines; the UI makes its own
 */
public record ReasonView(
        String kind,
        String sentence,
        @Nullable String pool,
        @Nullable String team,
        @Nullable String user,
        @Nullable Integer gpusWanted,
        @Nullable Integer gpusFree,
        @Nullable Integer gpusUnavailable,
        @Nullable Integer inUse,
        @Nullable Integer limit,
        @Nullable Integer deserved,
        @Nullable Integer entitled,
        @Nullable Integer guaranteed,
        @Nullable Integer place,
        @Nullable Integer jobsBefore,
        @Nullable Integer gpusBefore,
        @Nullable Integer replicasWanted,
        @Nullable Integer replicasFit,
        @Nullable Integer gpusEach,
        @Nullable String level,
        @Nullable String domain,
        @Nullable Integer sliceSize,
        @Nullable String sliceLevel,
        @Nullable Integer largestGpus,
        @Nullable Instant until,
        @Nullable String failure,
        @Nullable Integer attempt,
        @Nullable String mode,
        @Nullable String why,
        List<Long> jobs,
        List<HolderView> holders,
        List<NodeGapView> nodes) {

    /** Who holds GPUs; job and team null: a pod that is not Muster's. */
    public record HolderView(
            @Nullable Long job,
            @Nullable String name,
            @Nullable String team,
            int gpus,
            @Nullable Instant expectedEnd) {}

    /** One node of the best place, for the GPU strip. */
    public record NodeGapView(String node, int total, int free, int reserved, List<HolderView> holders) {}
}
