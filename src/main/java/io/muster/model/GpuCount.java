package io.muster.model;

/** A number of whole GPUs; never negative. */
public record GpuCount(int value) implements Comparable<GpuCount> {
    public static final GpuCount ZERO = new GpuCount(0);

    public GpuCount {
        if (value < 0) {
            throw new IllegalArgumentException("GPUs must not be negative: " + value);
        }
    }

    public static GpuCount of(int value) {
        return value == 0 ? ZERO : new GpuCount(value);
    }

    public GpuCount plus(GpuCount other) {
        return of(Math.addExact(value, other.value));
    }

    /** The difference, or zero where {@code other} is more. */
    public GpuCount minusOrZero(GpuCount other) {
        return of(Math.max(0, value - other.value));
    }

    public boolean isZero() {
        return value == 0;
    }

    @Override
    public int compareTo(GpuCount other) {
        return Integer.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Integer.toString(value);
    }
}
