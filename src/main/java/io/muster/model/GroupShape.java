package io.muster.model;

import org.jspecify.annotations.Nullable;

/**
 * A group of equal replicas of a gang.
 *
 * @param name the group's name, part of pod names
 * @param replicas how many, at least 1
 * @param min the fewest it can work with, at least 1; less than {@code replicas}: the group is elastic
 * @param each what one replica asks for
 * @param slices how its replicas keep together, or null: as they like
 */
public record GroupShape(
        String name,
        int replicas,
        int min,
        Resources each,
        @Nullable Slices slices) {
    public GroupShape {
        if (replicas < 1 || min < 1 || min > replicas) {
            throw new IllegalArgumentException("a group has at least one replica, and at least its fewest");
        }
        if (slices != null && replicas % slices.size() != 0) {
            throw new IllegalArgumentException("slices of " + slices.size() + " do not make " + replicas);
        }
    }

    /** A group without slices. */
    public GroupShape(String name, int replicas, Resources each) {
        this(name, replicas, replicas, each, null);
    }

    /** A group of so many replicas, not fewer. */
    public GroupShape(String name, int replicas, Resources each, @Nullable Slices slices) {
        this(name, replicas, replicas, each, slices);
    }

    /** An elastic group. */
    public GroupShape(String name, int replicas, int min, Resources each) {
        this(name, replicas, min, each, null);
    }

    public int gpus() {
        return Math.multiplyExact(replicas, each.gpus());
    }

    /** Replicas that it can do without. */
    public int spare() {
        return replicas - min;
    }
}
