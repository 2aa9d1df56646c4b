package io.muster.scheduling.placement;

import io.muster.model.GroupShape;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import io.muster.scheduling.topology.Fleet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/** A gang's shape: its groups, and its replicas counted by kind (equal amounts), the most demanding kind first. */
public final class Gang {
    private static final Comparator<Kind> HARDEST_FIRST = Comparator.comparingInt((Kind k) -> k.each.gpus())
            .thenComparingLong(k -> k.each.memoryBytes())
            .thenComparingLong(k -> k.each.cpuMillis())
            .reversed();

    private final List<GroupShape> groups;
    private final List<Kind> kinds;
    private final int gpus;
    private final int replicas;

    /** Replicas that ask for the same. */
    public record Kind(Resources each, int replicas) {}

    public Gang(List<GroupShape> groups) {
        this.groups = List.copyOf(groups);
        var counts = new LinkedHashMap<Resources, Integer>();
        for (var group : groups) {
            counts.merge(group.each(), group.replicas(), Math::addExact);
        }
        kinds = counts.entrySet().stream()
                .map(e -> new Kind(e.getKey(), e.getValue()))
                .sorted(HARDEST_FIRST)
                .toList();
        gpus = groups.stream().mapToInt(GroupShape::gpus).reduce(0, Math::addExact);
        replicas = groups.stream().mapToInt(GroupShape::replicas).reduce(0, Math::addExact);
        if (replicas == 0 || kinds.stream().anyMatch(k -> negative(k.each))) {
            throw new IllegalArgumentException("not a gang: " + groups);
        }
    }

    private static boolean negative(Resources each) {
        return each.gpus() < 0 || each.cpuMillis() < 0 || each.memoryBytes() < 0;
    }

    public List<Kind> kinds() {
        return kinds;
    }

    public int gpus() {
        return gpus;
    }

    public int replicas() {
        return replicas;
    }

    /** Numbers the replicas of a layout: in each group, neighbours in number are neighbours in the tree. */
    public List<ReplicaPlacement> number(Layout layout, Fleet fleet) {
        var seats = new ArrayList<int[]>(); // per kind: the node of each replica in tree order
        var used = new int[kinds.size()];
        for (int k = 0; k < kinds.size(); k++) {
            seats.add(layout.seats(k, kinds.get(k).replicas()));
        }
        var placements = new ArrayList<ReplicaPlacement>(replicas);
        for (var group : groups) {
            int kind = kindOf(group.each());
            for (int i = 0; i < group.replicas(); i++) {
                int node = seats.get(kind)[used[kind]++];
                placements.add(
                        new ReplicaPlacement(group.name(), i, fleet.node(node).id(), group.each()));
            }
        }
        return placements;
    }

    /** The kind's number, or -1. */
    int kindOf(Resources each) {
        for (int k = 0; k < kinds.size(); k++) {
            if (kinds.get(k).each().equals(each)) {
                return k;
            }
        }
        return -1;
    }
}
