package io.muster.model;

/**
 * A group of equal replicas of a gang.
 *
 * @param name the group's name, part of pod names
 * @param replicas how many, at least 1
 * @param each what one replica asks for
 */
public record GroupShape(String name, int replicas, Resources each) {
    public GroupShape {
        if (replicas < 1) {
            throw new IllegalArgumentException("a group has at least one replica");
        }
    }

    public int gpus() {
        return Math.multiplyExact(replicas, each.gpus());
    }
}
