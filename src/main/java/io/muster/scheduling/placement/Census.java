package io.muster.scheduling.placement;

import io.muster.model.Resources;
import io.muster.scheduling.topology.Fleet;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** How many replicas of one kind fit on each node of a range, with running sums for its domains. Reused scratch. */
final class Census {
    private final Fleet fleet;
    private final int[] count;
    private final long[] counts;
    private final long[] free;

    Census(Fleet fleet) {
        this.fleet = fleet;
        count = new int[fleet.size()];
        counts = new long[fleet.size() + 1];
        free = new long[fleet.size() + 1];
    }

    /** Which nodes to leave out besides those that take no replicas. */
    interface Filter {
        boolean leavesOut(int node);
    }

    void take(Plane plane, Resources each, int most, @Nullable BitSet excluded, int from, int to, Filter filter) {
        for (int node = from; node < to; node++) {
            boolean out = plane.gpus[node] < each.gpus()
                    || !fleet.takes(node)
                    || (excluded != null && excluded.get(node))
                    || filter.leavesOut(node);
            count[node] = out ? 0 : plane.count(node, each, most);
            counts[node + 1] = count[node];
            free[node + 1] = Math.max(0, plane.gpus[node]);
        }
        counts[from] = 0;
        free[from] = 0;
        for (int node = from; node < to; node++) {
            counts[node + 1] += counts[node];
            free[node + 1] += free[node];
        }
    }

    int count(int node) {
        return count[node];
    }

    /** Replicas that fit on nodes {@code from..to}. */
    long count(int from, int to) {
        return counts[to] - counts[from];
    }

    /** GPUs free on nodes {@code from..to}. */
    long free(int from, int to) {
        return free[to] - free[from];
    }
}
