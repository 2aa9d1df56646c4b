package io.muster.scheduling.topology;

import io.muster.model.DomainPath;
import java.util.ArrayList;
import java.util.List;

/** The domains of one level of a partition, each a range of node numbers. */
public final class Domains {
    static final int NONE = -1;

    private final String level;
    private final int[] from;
    private final int[] to;
    private final List<DomainPath> paths;
    private final int[] of;

    private Domains(String level, int[] from, int[] to, List<DomainPath> paths, int[] of) {
        this.level = level;
        this.from = from;
        this.to = to;
        this.paths = paths;
        this.of = of;
    }

    /** The level's name. */
    public String level() {
        return level;
    }

    /** The first node of each domain. */
    public int[] from() {
        return from;
    }

    /** One past the last node of each domain. */
    public int[] to() {
        return to;
    }

    public List<DomainPath> paths() {
        return paths;
    }

    /** The domain of each node, counted from the partition's first node; -1 where the node lacks the label. */
    public int[] of() {
        return of;
    }

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
            boolean same =
                    i > 0 && of[i - 1] != NONE && prefix.equals(names.get(i - 1).subList(0, depth));
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
