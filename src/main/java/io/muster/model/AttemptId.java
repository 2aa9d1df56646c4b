package io.muster.model;

import java.util.Comparator;

/** One run of a job from start to end; {@code number} counts from 1. */
public record AttemptId(JobId job, int number) implements Comparable<AttemptId> {
    private static final Comparator<AttemptId> ORDER =
            Comparator.comparing(AttemptId::job).thenComparingInt(AttemptId::number);

    public AttemptId {
        if (number <= 0) {
            throw new IllegalArgumentException("attempt number must be positive: " + number);
        }
    }

    @Override
    public int compareTo(AttemptId other) {
        return ORDER.compare(this, other);
    }

    /** The name that objects of this attempt carry on a cluster: {@code j<job>-a<attempt>}. */
    public String objectName() {
        return "j" + job.value() + "-a" + number;
    }

    @Override
    public String toString() {
        return objectName();
    }
}
