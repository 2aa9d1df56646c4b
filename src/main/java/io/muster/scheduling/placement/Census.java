package io.muster.scheduling.placement;

import io.muster.scheduling.placement.Gang.Kind;
import io.muster.scheduling.topology.Fleet;
import io.muster.scheduling.topology.Partition;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * How many replicas of one kind fit on each node of a range, with running sums for its domains; where replicas go in
 * slices, domains down to the level of the slices count whole ones only. Reused scratch.
 */
final class Census {
    /** No level is coarser: nothing is counted in slices. */
    private static final int UNSLICED = -2;

    private final Fleet fleet;
    private final int[] count;
    private final long[] counts;
    private final long[] inSlices;
    private final long[] free;
    private int sliceLevel = UNSLICED;

    Census(Fleet fleet) {
        this.fleet = fleet;
        count = new int[fleet.size()];
        counts = new long[fleet.size() + 1];
        inSlices = new long[fleet.size() + 1];
        free = new long[fleet.size() + 1];
    }

    /** Which nodes to leave out besides those that take no replicas. */
    interface Filter {
        boolean leavesOut(int node);
    }

    /** Counts on the nodes {@code from..to} of {@code partition}. */
    void take(Plane plane, Kind kind, Partition partition, @Nullable BitSet excluded, int from, int to, Filter filter) {
        var each = kind.each();
        for (int node = from; node < to; node++) {
            boolean out = plane.gpus[node] < each.gpus()
                    || !fleet.takes(node)
                    || (excluded != null && excluded.get(node))
                    || filter.leavesOut(node);
            count[node] = out ? 0 : plane.count(node, each, kind.replicas());
            counts[node + 1] = count[node];
            free[node + 1] = Math.max(0, plane.gpus[node]);
        }
        var slices = kind.slices();
        sliceLevel = slices == null ? UNSLICED : partition.level(slices.level());
        if (slices != null) {
            leaveOutUnlabelled(partition, from, to);
        }
        counts[from] = 0;
        free[from] = 0;
        for (int node = from; node < to; node++) {
            counts[node + 1] += counts[node];
            free[node + 1] += free[node];
        }
        if (slices != null) {
            cut(kind, partition, from, to);
        }
    }

    private void leaveOutUnlabelled(Partition partition, int from, int to) {
        for (int node = from; node < to; node++) {
            if (sliceLevel == Partition.WHOLE || !partition.inDomain(node, sliceLevel)) {
                count[node] = 0;
                counts[node + 1] = 0;
            }
        }
    }

    /** A domain's whole slices are counted at its last node. */
    private void cut(Kind kind, Partition partition, int from, int to) {
        inSlices[from] = 0;
        int node = from;
        while (node < to) {
            int end = sliceLevel == Partition.WHOLE ? to : partition.runEnd(sliceLevel, node, to);
            for (int n = node + 1; n < end; n++) {
                inSlices[n] = inSlices[node];
            }
            inSlices[end] = inSlices[node] + kind.whole(counts[end] - counts[node]);
            node = end;
        }
    }

    /** Replicas that fit on nodes {@code from..to}, which are domains of {@code level} or one. */
    long count(int level, int from, int to) {
        return level <= sliceLevel ? inSlices[to] - inSlices[from] : counts[to] - counts[from];
    }

    /** The level whose domains hold whole slices; what lies above it is filled slice by slice. */
    int sliceLevel() {
        return sliceLevel;
    }

    /** GPUs free on nodes {@code from..to}. */
    long free(int from, int to) {
        return free[to] - free[from];
    }
}
