package io.muster.scheduling.placement;

import io.muster.model.GroupShape;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import io.muster.model.Slices;
import io.muster.scheduling.topology.Fleet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A gang's shape: its groups, and its replicas counted by kind (equal wishes), the most demanding kind first. */
public final class Gang {
    private static final Comparator<Kind> HARDEST_FIRST = Comparator.comparingInt((Kind k) -> k.each.gpus())
            .thenComparingLong(k -> k.each.memoryBytes())
            .thenComparingLong(k -> k.each.cpuMillis())
            .thenComparingInt(Kind::sliceSize)
            .reversed()
            .thenComparing(k -> k.slices == null ? "" : k.slices.level());

    private final List<GroupShape> groups;
    private final List<Kind> kinds;
    private final Map<String, Integer> kindOf = new HashMap<>();
    private final int gpus;
    private final int replicas;

    /** Replicas that ask for the same, and how they keep together. */
    public record Kind(
            Resources each, int replicas, @Nullable Slices slices) {
        /** Replicas that only go together: 1 when there are no slices. */
        public int sliceSize() {
            return slices == null ? 1 : slices.size();
        }

        /** How many of {@code room} replicas are worth counting: whole slices. */
        public long whole(long room) {
            return room - room % sliceSize();
        }
    }

    private record Wish(Resources each, @Nullable Slices slices) {}

    public Gang(List<GroupShape> groups) {
        this.groups = List.copyOf(groups);
        var counts = new LinkedHashMap<Wish, Integer>();
        for (var group : groups) {
            counts.merge(new Wish(group.each(), group.slices()), group.replicas(), Math::addExact);
        }
        kinds = counts.entrySet().stream()
                .map(e -> new Kind(e.getKey().each, e.getValue(), e.getKey().slices))
                .sorted(HARDEST_FIRST)
                .toList();
        for (var group : groups) {
            for (int k = 0; k < kinds.size(); k++) {
                if (kinds.get(k).each.equals(group.each()) && Objects.equals(kinds.get(k).slices, group.slices())) {
                    kindOf.put(group.name(), k);
                }
            }
        }
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
            int kind = kindOf(group.name(), group.each());
            for (int i = 0; i < group.replicas(); i++) {
                int node = seats.get(kind)[used[kind]++];
                placements.add(
                        new ReplicaPlacement(group.name(), i, fleet.node(node).id(), group.each()));
            }
        }
        return placements;
    }

    /** The number of the kind of the group's replicas, or -1 when they do not ask for {@code each}. */
    int kindOf(String group, Resources each) {
        int kind = kindOf.getOrDefault(group, -1);
        return kind >= 0 && kinds.get(kind).each.equals(each) ? kind : -1;
    }
}
