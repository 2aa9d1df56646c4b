package io.muster.web.live;

import io.micrometer.core.instrument.Counter;
import io.muster.job.EventTail.Position;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The buffer of one listener. When it is full it is emptied, and the listener is told to read all again. */
final class Subscriber {
    private static final int MOST_WAITING = 1000;

    private final BlockingQueue<Object> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Counter dropped;
    private volatile boolean lost;

    Subscriber(Counter dropped) {
        this.dropped = dropped;
    }

    /** Something other than a job's event moved: read it again. */
    record Revision(String event, long revision) {}

    /** Nothing to write: look whether the stream is still open. */
    private record Wake() {}

    /** Writes a job's event as its listener may see it. */
    interface Telling {
        void tell(LiveStream stream, Heard heard) throws IOException;
    }

    void offer(Heard heard) {
        put(heard);
    }

    void offer(Revision revision) {
        put(revision);
    }

    void wake() {
        waiting.clear();
        put(new Wake());
    }

    private void put(Object item) {
        if (!waiting.offer(item)) {
            dropped.increment(waiting.size() + 1.0);
            lost = true;
            waiting.clear();
        }
    }

    /** Writes what comes next, or a beat when nothing comes in time. */
    void write(LiveStream stream, Duration beat, @Nullable Position had, Telling telling)
            throws IOException, InterruptedException {
        Object next = waiting.poll(beat.toMillis(), TimeUnit.MILLISECONDS);
        if (lost) {
            lost = false;
            stream.send("resync", null, Map.of());
        }
        switch (next) {
            case null -> stream.beat();
            case Wake w -> {}
            case Revision r -> stream.send(r.event(), null, Map.of("revision", r.revision()));
            case Heard heard when had != null && heard.position().compareTo(had) <= 0 -> {}
            case Heard heard -> telling.tell(stream, heard);
            default -> throw new IllegalStateException(next.toString());
        }
    }
}
