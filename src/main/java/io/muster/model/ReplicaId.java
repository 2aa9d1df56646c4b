package io.muster.model;

import java.util.Comparator;

/** One pod of an attempt: its group and its index in the group, from 0. */
public record ReplicaId(AttemptId attempt, String group, int index) implements Comparable<ReplicaId> {
    private static final Comparator<ReplicaId> ORDER = Comparator.comparing(ReplicaId::attempt)
            .thenComparing(ReplicaId::group)
            .thenComparingInt(ReplicaId::index);

    public ReplicaId {
        if (index < 0) {
            throw new IllegalArgumentException("replica index must not be negative: " + index);
        }
    }

    @Override
    public int compareTo(ReplicaId other) {
        return ORDER.compare(this, other);
    }

    /** The pod's name: {@code j<job>-a<attempt>-<group>-<index>}. */
    public String podName() {
        return attempt.objectName() + "-" + group + "-" + index;
    }
}
