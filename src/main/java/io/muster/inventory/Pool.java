package io.muster.inventory;

import io.muster.model.PodProfile;
import io.muster.model.PoolId;
import java.util.List;
import java.util.Map;

/**
 * A node pool.
 *
 * @param selector labels that a node has to belong to it
 * @param levels topology levels from the outermost; the last is always {@code node}
 * @param profile what every pod of the pool gets
 * @param microsPerGpuHour price of a GPU-hour in millionths of the currency
 */
public record Pool(
        PoolId id,
        String displayName,
        Map<String, String> selector,
        List<Level> levels,
        PodProfile profile,
        long microsPerGpuHour) {

    /** A level and the node label that names its domain; the label of {@code node} is the node's own name. */
    public record Level(String name, String label) {}

    public Pool {
        selector = Map.copyOf(selector);
        levels = List.copyOf(levels);
    }
}
