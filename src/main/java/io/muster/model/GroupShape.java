package io.muster.model;

import org.jspecify.annotations.Nullable;

/**
 * A group of equal replicas of a gang.
 *
 * @param name the group's name, part of pod names
 * @param replicas how many, at least 1
 * @param each what one replica asks for
 * @param slices how its replicas keep together, or null: as they like
 */
public record GroupShape(
        String name, int replicas, Resources each, @Nullable Slices slices) {
    public GroupShape {
        if (replicas < 1) {
            throw new IllegalArgumentException("a group has at least one replica");
        }
        if (slices != null && replicas % slices.size() != 0) {
            throw new IllegalArgumentException("slices of " + slices.size() + " do not make " + replicas);
        }
    }

    /** A group without slices. */
    public GroupShape(String name, int replicas, Resources each) {
        this(name, replicas, each, null);
    }

    public int gpus() {
        return Math.multiplyExact(replicas, each.gpus());
    }
}
