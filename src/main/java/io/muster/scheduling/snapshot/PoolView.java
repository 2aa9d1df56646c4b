package io.muster.scheduling.snapshot;

import io.muster.model.PoolId;
import java.util.List;

/**
 * A pool.
 *
 * @param levels its topology levels from the outermost to {@code node}, for example block, rack, node; the last level
 *     is always the node itself
 * @param reclaimedLately GPUs that were reclaimed outside guarantees within the policy's {@code reclaimWindow} before
 *     the snapshot: the sum of {@code gpusFreed} of the requests with cause RECLAIM that were not {@code guaranteed}
 */
public record PoolView(PoolId id, List<String> levels, int reclaimedLately) {
    public PoolView {
        levels = List.copyOf(levels);
    }

    public PoolView(PoolId id, List<String> levels) {
        this(id, levels, 0);
    }
}
