package io.muster.scheduling.topology;

import io.muster.model.DomainPath;
import java.util.ArrayList;
import java.util.List;

/**
 * The domains of one level of a partition, each a range of node numbers.
 *
 * @param level the level's name
 * @param from first node of each domain
 * @param to one past its last node
 * @param paths its path
 * @param of the domain of each node, counted from the partition's first; -1 where the node lacks the label
 */
public record Domains(String level, int[] from, int[] to, List<DomainPath> paths, int[] of) {
    static final int NONE = -1;

    public int size() {
        return from.length;
    }

    /** Groups the sorted {@code names} (padded paths) of nodes {@code first...} by their first {@code depth} names. */
    static Domains group(String level, int depth, int first, List<List<String>> names, List<DomainPath> paths) {
        var from = new ArrayList<Integer>();
        var to = new ArrayList<Integer>();
        var found = new ArrayList<DomainPath>();
        int[] of = new int[names.size()];
        for (int i = 0; i < of.length; i++) {
            var prefix = names.get(i).subList(0, depth);
            boolean same = i > 0
                    && of[i - 1] != NONE
                    && prefix.equals(names.get(i - 1).subList(0, depth));
            if (prefix.getLast().isEmpty()) {
                of[i] = NONE;
            } else if (same) {
                of[i] = of[i - 1];
                to.set(of[i], first + i + 1);
            } else {
                of[i] = found.size();
                from.add(first + i);
                to.add(first + i + 1);
                found.add(paths.get(i).prefix(depth));
            }
        }
        return new Domains(level, ints(from), ints(to), List.copyOf(found), of);
    }

    private static int[] ints(List<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).toArray();
    }
}
