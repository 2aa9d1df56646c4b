package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.muster.gateway.ClusterFact.LogLines;
import io.muster.model.ReplicaId;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows the output of one pod from where it was left, one stream at a time. */
final class LogTail {

    private static final Logger LOG = LoggerFactory.getLogger(LogTail.class);
    private static final int MOST_LINES = 500;
    private static final int MOST_CHARS = 64 * 1024;
    /** Kubelets rotate at 10 MiB by default: a mark at least this often is never rotated away before the next. */
    private static final long CHARS_BETWEEN_MARKS = 2 * 1024 * 1024;

    static final String MARK = "muster.io/log-cursor";

    private final LogStreams streams;
    private final Patches patches;
    private final ReplicaId replica;
    private final Pod pod;
    private final Teller teller;

    private final List<String> pending = new ArrayList<>();
    private long firstPending;
    private int pendingChars;
    private Instant lastStamp = Instant.EPOCH;

    private LogCursor cursor;
    private long sinceMark;
    private @Nullable Unmarked unmarked;
    private @Nullable InputStream stream;
    private volatile boolean ended;
    private volatile boolean gone;
    private volatile boolean left;
    private volatile boolean over;
    private volatile long openedAt;
    private volatile long readAt;

    LogTail(LogStreams streams, Patches patches, ReplicaId replica, Pod pod, Teller teller) {
        this.streams = streams;
        this.patches = patches;
        this.replica = replica;
        this.pod = pod;
        this.teller = teller;
        var annotations = pod.getMetadata().getAnnotations();
        this.cursor = LogCursor.parse(annotations == null ? null : annotations.get(MARK))
                .orElse(LogCursor.START);
    }

    String uid() {
        return pod.getMetadata().getUid();
    }

    /** The container has ended: what is there now is all. */
    void noMore() {
        ended = true;
    }

    boolean isGone() {
        return gone;
    }

    /** Nobody reads any more. */
    void over() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    boolean hasEnded() {
        return ended;
    }

    /** The pod is gone: what its stream still holds is the last. */
    void gone() {
        gone = true;
    }

    /** How a stream came to its end. */
    enum End {
        /** There was no more. */
        READ,
        /** It was somebody else's turn, or nothing had come for long. */
        LEFT,
        FAILED
    }

    /** Reads what there is and what comes. */
    End follow() {
        left = false;
        try (var in = streams.open(pod, cursor.lastStamp())) {
            synchronized (this) {
                stream = in;
            }
            openedAt = System.nanoTime();
            readAt = openedAt;
            new LogLineReader(in).read(new Lines(new LogCursor.Filter(cursor)));
            return left ? End.LEFT : End.READ;
        } catch (IOException notNow) {
            LOG.debug("output of {} ended: {}", replica.podName(), notNow.toString());
            return left ? End.LEFT : End.FAILED;
        } finally {
            synchronized (this) {
                stream = null;
            }
            flush(true);
        }
    }

    /** Ends the stream that is open now; what was not read is read from another. */
    synchronized void leave() {
        var leaving = stream;
        if (leaving != null) {
            left = true;
            try {
                leaving.close();
            } catch (IOException alreadyBroken) {
                LOG.debug("left the output of {}: {}", replica.podName(), alreadyBroken.toString());
            }
        }
    }

    /** For how long it has been at it; zero when it is not. */
    synchronized long nanosOpen() {
        return stream == null ? 0 : System.nanoTime() - openedAt;
    }

    /** For how long nothing has come; zero when nothing is waited for. A stream may die without a sound. */
    synchronized long nanosQuiet() {
        return stream == null ? 0 : System.nanoTime() - readAt;
    }

    /** Tells what has been read; {@code wait}: even if others must first make room. */
    void flush(boolean wait) {
        LogLines lines;
        synchronized (pending) {
            if (pending.isEmpty()) {
                return;
            }
            lines = new LogLines(replica, firstPending, pending, lastStamp);
            if (!wait && !teller.tell(lines)) {
                return;
            }
            pending.clear();
            pendingChars = 0;
        }
        if (wait) {
            teller.tellWhenThereIsRoom(lines);
        }
    }

    private final class Lines implements LogLineReader.Sink {
        private final LogCursor.Filter filter;
        private Instant stamp = Instant.EPOCH;
        private boolean isNew;
        private int pieces;

        private Lines(LogCursor.Filter filter) {
            this.filter = filter;
        }

        @Override
        public void line(Instant at) {
            readAt = System.nanoTime();
            stamp = at;
            isNew = filter.isNew(at);
            pieces = 0;
        }

        @Override
        public void piece(String text) {
            if (isNew) {
                add(cursor.nextLine() + pieces, text, stamp);
                pieces++;
            }
        }

        @Override
        public void end() {
            if (isNew) {
                cursor = cursor.after(stamp, pieces);
                mark();
            }
        }
    }

    private void add(long number, String text, Instant stamp) {
        boolean full;
        synchronized (pending) {
            if (pending.isEmpty()) {
                firstPending = number;
            }
            pending.add(text);
            pendingChars += text.length();
            lastStamp = stamp;
            full = pending.size() >= MOST_LINES || pendingChars >= MOST_CHARS;
        }
        sinceMark += text.length();
        if (full) {
            flush(true);
        }
    }

    /**
     * Notes on the pod how far its output was read and kept, so that a server that starts later numbers lines alike
     * although the first ones were rotated away.
     */
    private void mark() {
        if (sinceMark > CHARS_BETWEEN_MARKS && unmarked == null) {
            sinceMark = 0;
            flush(true);
            unmarked = new Unmarked(cursor, teller.lastTaken());
        }
        var due = unmarked;
        if (due != null && teller.hasKept(due.taken())) {
            unmarked = null;
            try {
                patches.annotate(pod, MARK, due.cursor().text());
            } catch (KubernetesClientException e) {
                LOG.debug("could not note how far {} was read: {}", replica.podName(), ApiErrors.text(e));
            }
        }
    }

    /** A place up to which everything has been told, but perhaps not kept yet. */
    private record Unmarked(LogCursor cursor, long taken) {}
}
