package io.muster.model;

import java.util.Comparator;
import java.util.regex.Pattern;

/** One pod of an attempt: its group and its index in the group, from 0. */
public record ReplicaId(AttemptId attempt, String group, int index) implements Comparable<ReplicaId> {
    private static final Pattern OBJECT = Pattern.compile("^j[0-9]+-a[0-9]+-");
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

    /** The replica that a pod's name speaks of, as people and the log endpoints call it within its job: {@code worker-0}. */
    public static String nameOf(String podName) {
        return OBJECT.matcher(podName).replaceFirst("");
    }

    /** The pod's name: {@code j<job>-a<attempt>-<group>-<index>}. */
    public String podName() {
        return attempt.objectName() + "-" + group + "-" + index;
    }
}
