package io.muster.model;

import java.util.UUID;

/** A team in the tree of teams; survives renames and moves. */
public record TeamId(UUID value) implements Comparable<TeamId> {
    @Override
    public int compareTo(TeamId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
