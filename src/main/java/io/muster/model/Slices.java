package io.muster.model;

/**
 * How the replicas of a group are cut into slices, in the order of their numbers, each of which lies whole in one domain.
 *
 * @param size replicas of one slice, at least 2; divides the group's replicas
 * @param level the level whose one domain holds a slice
 */
public record Slices(int size, String level) {
    public Slices {
        if (size < 2) {
            throw new IllegalArgumentException("a slice has at least two replicas");
        }
    }
}
