package io.muster.model;

import java.util.UUID;

/** A person or a service account that submits and acts. */
public record UserId(UUID value) implements Comparable<UserId> {
    @Override
    public int compareTo(UserId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
