package io.muster.scheduling.problem;

import io.muster.model.GroupShape;
import io.muster.model.ReplicaPlacement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of an elastic gang, from its fewest replicas to all of them. What there is beyond the fewest goes to the
 * groups in proportion, so that a larger size has at least as many replicas of every group (Jefferson's divisors).
 */
public final class Sizes {
    private Sizes() {}

    /** Replicas that the gang can do without. */
    public static int spare(List<GroupShape> groups) {
        return groups.stream().mapToInt(GroupShape::spare).sum();
    }

    /** Replicas of each group when the gang has {@code more} than its fewest. */
    static List<Integer> of(List<GroupShape> groups, int more) {
        int[] given = new int[groups.size()];
        for (int i = 0; i < more; i++) {
            given[next(groups, given)]++;
        }
        var counts = new ArrayList<Integer>(given.length);
        for (int g = 0; g < given.length; g++) {
            counts.add(groups.get(g).min() + given[g]);
        }
        return counts;
    }

    private static int next(List<GroupShape> groups, int[] given) {
        int best = -1;
        for (int g = 0; g < given.length; g++) {
            int spare = groups.get(g).spare();
            boolean wants = given[g] < spare;
            if (wants
                    && (best < 0
                            || (long) spare * (given[best] + 1)
                                    > (long) groups.get(best).spare() * (given[g] + 1))) {
                best = g;
            }
        }
        if (best < 0) {
            throw new IllegalArgumentException("no group of " + groups + " takes more");
        }
        return best;
    }

    /** Replicas of each group among {@code placements}, or null when they are no size of the gang. */
    static @Nullable List<Integer> among(List<GroupShape> groups, List<ReplicaPlacement> placements) {
        var found = new HashMap<String, Integer>();
        placements.forEach(p -> found.merge(p.group(), 1, Integer::sum));
        var counts = new ArrayList<Integer>(groups.size());
        for (var group : groups) {
            int count = found.getOrDefault(group.name(), 0);
            if (count < group.min() || count > group.replicas()) {
                return null;
            }
            counts.add(count);
        }
        return counts;
    }

    /** The gang with so many replicas of each group. */
    static List<GroupShape> shaped(List<GroupShape> groups, List<Integer> counts) {
        var shaped = new ArrayList<GroupShape>(groups.size());
        for (int g = 0; g < counts.size(); g++) {
            var group = groups.get(g);
            shaped.add(new GroupShape(group.name(), counts.get(g), group.each(), group.slices()));
        }
        return shaped;
    }
}
