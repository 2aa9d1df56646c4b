package io.muster.model;

import java.util.Comparator;

/** Where one replica of a gang goes: its group, its index in the group, the node, and what it takes there. */
public record ReplicaPlacement(String group, int index, NodeId node, Resources amount)
        implements Comparable<ReplicaPlacement> {
    private static final Comparator<ReplicaPlacement> ORDER = Comparator.comparing(ReplicaPlacement::group)
            .thenComparingInt(ReplicaPlacement::index)
            .thenComparing(ReplicaPlacement::node);

    @Override
    public int compareTo(ReplicaPlacement other) {
        return ORDER.compare(this, other);
    }
}
