package io.muster.scheduling.placement;

import io.muster.scheduling.placement.Gang.Kind;
import io.muster.scheduling.placement.Layout.Spot;
import io.muster.scheduling.topology.Partition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Spreads replicas over a domain: the fewest children, the fullest that do, and equally many in each. Down to the level
 * of its slices a gang is spread by whole ones.
 */
final class Split {
    private final Partition partition;
    private final Census census;
    private final Kind kind;
    private final int kindNumber;

    Split(Partition partition, Census census, Kind kind, int kindNumber) {
        this.partition = partition;
        this.census = census;
        this.kind = kind;
        this.kindNumber = kindNumber;
    }

    /** A domain below, or a single node without the label of that level. */
    private record Child(int level, int from, int to, long count, long free) {
        static final Comparator<Child> IN_TREE = Comparator.comparingInt(Child::from);
        static final Comparator<Child> ROOMIEST =
                Comparator.comparingLong(Child::count).reversed().thenComparing(IN_TREE);
        static final Comparator<Child> FULLEST = Comparator.comparingLong(Child::count)
                .thenComparingLong(Child::free)
                .thenComparing(IN_TREE);
    }

    /** Adds spots for {@code need} replicas among nodes {@code from..to}, a domain of {@code level} that has room. */
    void into(int level, int from, int to, int need, List<Spot> spots) {
        if (level >= partition.nodeLevel()) {
            spots.add(new Spot(kindNumber, from, need, kind.each()));
            return;
        }
        boolean bySlices = level < census.sliceLevel();
        int step = bySlices ? kind.sliceSize() : 1;
        var chosen = choose(bySlices ? slicedChildren(level + 1, from, to) : children(level + 1, from, to), need, step);
        int[] parts = parts(chosen, need, step);
        var order = new ArrayList<Integer>();
        for (int i = 0; i < chosen.size(); i++) {
            order.add(i);
        }
        order.sort(Comparator.comparingInt(i -> chosen.get(i).from));
        for (int i : order) {
            var child = chosen.get(i);
            if (parts[i] > 0) {
                into(child.level, child.from, child.to, parts[i], spots);
            }
        }
    }

    private List<Child> children(int level, int from, int to) {
        var children = new ArrayList<Child>();
        int node = from;
        while (node < to) {
            int at = partition.inDomain(node, level) ? level : partition.nodeLevel();
            int last = partition.runEnd(level, node, to);
            long count = census.count(at, node, last);
            if (count > 0) {
                children.add(new Child(at, node, last, count, census.free(node, last)));
            }
            node = last;
        }
        return children;
    }

    /** The same where slices must stay whole: without a label, the next finer domain that holds some. */
    private List<Child> slicedChildren(int level, int from, int to) {
        var children = new ArrayList<Child>();
        int node = from;
        while (node < to) {
            int at = level;
            while (at < census.sliceLevel() && !partition.inDomain(node, at)) {
                at++;
            }
            int last = partition.runEnd(at, node, to);
            long count = census.count(at, node, last);
            if (count > 0) {
                children.add(new Child(at, node, last, count, census.free(node, last)));
            }
            node = last;
        }
        return children;
    }

    /** The fewest children that hold {@code need}; among those with an equal part each, the fullest. */
    private static List<Child> choose(List<Child> children, int need, int step) {
        children.sort(Child.ROOMIEST);
        long sum = 0;
        int k = 0;
        while (sum < need) {
            sum += children.get(k++).count;
        }
        long part = ((long) need / step + k - 1) / k * step;
        var even = new ArrayList<Child>();
        for (var child : children) {
            if (child.count >= part) {
                even.add(child);
            }
        }
        if (even.size() < k) {
            return byCount(children.subList(0, k));
        }
        even.sort(Child.FULLEST);
        return byCount(even.subList(0, k));
    }

    private static List<Child> byCount(List<Child> some) {
        var sorted = new ArrayList<>(some);
        sorted.sort(Child.FULLEST);
        return sorted;
    }

    /** Equal parts, bounded by what fits; {@code chosen} ascends by count, so the last can take what is over. */
    private static int[] parts(List<Child> chosen, int need, int step) {
        int[] parts = new int[chosen.size()];
        int left = need;
        for (int i = 0; i < parts.length; i++) {
            int even = left / step / (parts.length - i) * step;
            parts[i] = (int) Math.min(chosen.get(i).count, even);
            left -= parts[i];
        }
        if (left > 0) {
            throw new IllegalStateException("children without room for " + left);
        }
        return parts;
    }
}
