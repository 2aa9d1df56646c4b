package io.muster.model;

import org.jspecify.annotations.Nullable;

/** A job: a short number, as people type and say it; objects on the cluster are named after it. */
public record JobId(long value) implements Comparable<JobId> {
    public JobId {
        if (value <= 0) {
            throw new IllegalArgumentException("job id must be positive: " + value);
        }
    }

    @Override
    public int compareTo(JobId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }

    // Written out, since maps of jobs ask for these all the time and what records bring along is slower.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JobId id && id.value == value;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(value);
    }
}
