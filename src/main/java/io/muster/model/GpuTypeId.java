package io.muster.model;

/** A type of GPU (or MIG profile) of the catalogue, such as {@code H100-SXM}. */
public record GpuTypeId(String value) implements Comparable<GpuTypeId> {
    @Override
    public int compareTo(GpuTypeId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
