package io.muster.model;

import java.util.List;

/**
 * A topology domain by its full path from the outermost level, so that rack r1 of two blocks is two racks.
 * An empty path is the whole pool.
 */
public record DomainPath(List<String> names) implements Comparable<DomainPath> {
    public static final DomainPath POOL = new DomainPath(List.of());

    public DomainPath {
        names = List.copyOf(names);
    }

    public DomainPath prefix(int levels) {
        return new DomainPath(names.subList(0, Math.min(levels, names.size())));
    }

    @Override
    public int compareTo(DomainPath other) {
        int shared = Math.min(names.size(), other.names.size());
        for (int i = 0; i < shared; i++) {
            int order = names.get(i).compareTo(other.names.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(names.size(), other.names.size());
    }

    @Override
    public String toString() {
        return names.isEmpty() ? "(pool)" : String.join("/", names);
    }
}
