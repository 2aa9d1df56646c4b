package io.muster.simulation;

import java.time.Instant;
import java.util.Comparator;

/** The moment from which an attempt makes no progress, and why. Of two at one instant the first cause counts. */
record Halt(Cause cause, Instant at, int replica) implements Comparable<Halt> {
    private static final Comparator<Halt> ORDER =
            Comparator.comparing(Halt::at).thenComparing(Halt::cause).thenComparing(Halt::replica);

    /** Why, with {@code replica} the one that it began with where that means something. */
    enum Cause {
        COMPLETED,
        CRASHED,
        HUNG,
        ORDERED,
        SIGNALLED,
        TERMINATED,
        KILLED,
        LOST
    }

    Halt(Cause cause, Instant at) {
        this(cause, at, 0);
    }

    @Override
    public int compareTo(Halt other) {
        return ORDER.compare(this, other);
    }
}
