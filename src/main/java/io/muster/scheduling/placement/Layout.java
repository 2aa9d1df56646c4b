package io.muster.scheduling.placement;

import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import io.muster.scheduling.topology.Fleet;
import io.muster.scheduling.topology.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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

    /** The places of a reservation as a layout of {@code gang}, or null when they are not places for it. */
    public static @Nullable Layout of(Gang gang, List<ReplicaPlacement> placements, Fleet fleet) {
        var counts = new TreeMap<Integer, TreeMap<Integer, Integer>>();
        for (var p : placements) {
            int node = fleet.number(p.node());
            int kind = gang.kindOf(p.group(), p.amount());
            if (node < 0 || kind < 0) {
                return null;
            }
            counts.computeIfAbsent(kind, k -> new TreeMap<>()).merge(node, 1, Integer::sum);
        }
        var spots = new ArrayList<Spot>();
        for (int k = 0; k < gang.kinds().size(); k++) {
            var kind = gang.kinds().get(k);
            var nodes = counts.getOrDefault(k, new TreeMap<>());
            if (nodes.values().stream().mapToInt(Integer::intValue).sum() != kind.replicas()) {
                return null;
            }
            for (var entry : nodes.entrySet()) {
                spots.add(new Spot(k, entry.getKey(), entry.getValue(), kind.each()));
            }
        }
        var partition = fleet.partitionOf(spots.getFirst().node);
        if (spots.stream().anyMatch(s -> fleet.partitionOf(s.node).number() != partition.number())
                || !isSliced(gang, partition, spots)) {
            return null;
        }
        return finest(partition, spots);
    }

    /** True when every slice lies whole in one domain of its level. */
    private static boolean isSliced(Gang gang, Partition partition, List<Spot> spots) {
        for (int k = 0; k < gang.kinds().size(); k++) {
            var slices = gang.kinds().get(k).slices();
            if (slices == null) {
                continue;
            }
            int level = partition.level(slices.level());
            var counts = new TreeMap<Integer, Integer>();
            for (var spot : spots) {
                if (spot.kind == k) {
                    int domain = level == Partition.WHOLE
                            ? -1
                            : partition.levels().get(level).of()[spot.node - partition.from()];
                    counts.merge(domain, spot.count, Integer::sum);
                }
            }
            if (counts.containsKey(-1) || counts.values().stream().anyMatch(n -> n % slices.size() != 0)) {
                return false;
            }
        }
        return true;
    }

    private static Layout finest(Partition partition, List<Spot> spots) {
        for (int level = partition.nodeLevel(); level >= 0; level--) {
            int[] of = partition.levels().get(level).of();
            int domain = of[spots.getFirst().node - partition.from()];
            if (domain >= 0 && spots.stream().allMatch(s -> of[s.node - partition.from()] == domain)) {
                return new Layout(partition, level, domain, spots);
            }
        }
        return new Layout(partition, Partition.WHOLE, 0, spots);
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
        return new ArrayList<>(
                spots.stream().map(Spot::node).distinct().sorted().toList());
    }
}
