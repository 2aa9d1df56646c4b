package io.muster.scheduling.snapshot;

import io.muster.model.PoolId;
import java.util.List;

/**
 * A pool.
 *
 * @param levels its topology levels from the outermost to {@code node}, for example block, rack, node; the last level
 *     is always the node itself
 */
public record PoolView(PoolId id, List<String> levels) {
    public PoolView {
        levels = List.copyOf(levels);
    }
}
