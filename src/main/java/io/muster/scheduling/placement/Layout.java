package io.muster.scheduling.placement;

import io.muster.model.Resources;
import io.muster.scheduling.topology.Partition;
import java.util.ArrayList;
import java.util.List;

/**
 * A place for a whole gang: how many replicas of each kind go on each node.
 *
 * @param level the finest level whose one domain holds the gang, or {@link Partition#WHOLE}
 * @param domain that domain's number in its level; 0 for the whole partition
 * @param spots in tree order within each kind
 */
public record Layout(Partition partition, int level, int domain, List<Spot> spots) {

    /** {@code count} replicas of {@code kind} on {@code node}. */
    public record Spot(int kind, int node, int count, Resources each) {
        public Resources amount() {
            return each.times(count);
        }
    }

    public Layout {
        spots = List.copyOf(spots);
    }

    /** The node of each of the kind's replicas, in tree order. */
    int[] seats(int kind, int replicas) {
        int[] seats = new int[replicas];
        int next = 0;
        for (var spot : spots) {
            for (int i = 0; spot.kind == kind && i < spot.count; i++) {
                seats[next++] = spot.node;
            }
        }
        if (next != replicas) {
            throw new IllegalStateException("a layout holds a part of a gang: " + next + " of " + replicas);
        }
        return seats;
    }

    /** Nodes used, each once, in tree order. */
    public List<Integer> nodes() {
        return new ArrayList<>(spots.stream().map(Spot::node).distinct().sorted().toList());
    }
}
