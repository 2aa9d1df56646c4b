package io.muster.model;

/** A node pool, named by a short slug such as {@code h100}; the name is the identity and never changes. */
public record PoolId(String value) implements Comparable<PoolId> {
    @Override
    public int compareTo(PoolId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
