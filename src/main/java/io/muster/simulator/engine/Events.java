package io.muster.simulator.engine;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** What is to happen, in a total order: by time, then ends before beginnings, then as it was foreseen. */
final class Events {
    private static final Comparator<Event> ORDER =
            Comparator.comparingLong(Event::at).thenComparing(Event::kind).thenComparingLong(Event::number);

    private final PriorityQueue<Event> queue = new PriorityQueue<>(ORDER);
    private long next;

    enum Kind {
        FINISHED,
        SAVED,
        GONE,
        RUNNING,
        SUBMITTED,
        REVIEW
    }

    /** {@code attempt} is the one the event is about; of an older attempt it is late and means nothing. */
    record Event(long at, Kind kind, long number, @Nullable SimulatedJob job, int attempt) {}

    void add(long at, Kind kind, @Nullable SimulatedJob job) {
        queue.add(new Event(at, kind, next++, job, job == null ? 0 : job.attempts));
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    long nextAt() {
        var first = queue.peek();
        return first == null ? SimulatedJob.NEVER : first.at();
    }

    Event poll() {
        return queue.remove();
    }
}
