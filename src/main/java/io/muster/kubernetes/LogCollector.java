package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.muster.gateway.ClusterObserver;
import io.muster.model.ReplicaId;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Follows what programs print. At most so many replicas are followed at a time; when more want to be, those that were
 * followed longest leave and come back. Nothing is lost by that: the kubelet keeps the output, and slowness of the
 * observer slows the reading.
 */
final class LogCollector implements AutoCloseable {

    private static final int MOST_WAITING = 256;
    private static final long SWEEP_MILLIS = 200;
    private static final long TURN_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(3);
    private static final long LAST_WORDS_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long FIRST_PAUSE = 250;
    private static final long LONGEST_PAUSE = 10_000;

    private final LogStreams streams;
    private final Patches patches;
    private final Teller teller;
    private final Semaphore turns;
    private final Map<ReplicaId, LogTail> tails = new ConcurrentHashMap<>();
    private final Thread sweeper;
    private volatile boolean closed;

    LogCollector(KubernetesClient client, KubernetesProperties settings, ClusterObserver observer) {
        this.streams = new LogStreams(client, settings);
        this.patches = new Patches(client, settings);
        this.teller = new Teller("cluster-logs", observer, MOST_WAITING);
        this.turns = new Semaphore(settings.logFollowers(), true);
        this.sweeper = Thread.ofVirtual().name("cluster-logs-sweep").start(this::sweep);
    }

    /** A pod of ours as it is now; its output is followed from the moment its container has started. */
    void seen(ReplicaId replica, Pod pod) {
        if (closed || !hasStarted(pod)) {
            return;
        }
        var tail = tails.compute(replica, (_, known) -> {
            if (known != null && known.uid().equals(pod.getMetadata().getUid())) {
                return known;
            }
            if (known != null) {
                known.gone();
                known.leave();
            }
            return begin(replica, new LogTail(streams, patches, replica, pod, teller));
        });
        if (ReplicaFacts.terminated(pod) != null) {
            tail.noMore();
        }
    }

    private static boolean hasStarted(Pod pod) {
        return ReplicaFacts.terminated(pod) != null || ReplicaFacts.isRunning(pod);
    }

    /** Its stream is read to the end, but no other is opened. */
    void gone(ReplicaId replica) {
        tails.computeIfPresent(replica, (_, tail) -> {
            tail.gone();
            return tail.isOver() ? null : tail;
        });
    }

    private LogTail begin(ReplicaId replica, LogTail tail) {
        Thread.ofVirtual().name("log").start(() -> {
            followToTheEnd(tail);
            tail.over();
            tails.computeIfPresent(replica, (_, there) -> there == tail && tail.isGone() ? null : there);
        });
        return tail;
    }

    private void followToTheEnd(LogTail tail) {
        long pause = FIRST_PAUSE;
        while (!closed && !tail.isGone()) {
            boolean wasAll = tail.hasEnded();
            turns.acquireUninterruptibly();
            LogTail.End end;
            try {
                end = tail.follow();
            } finally {
                turns.release();
            }
            if (wasAll && end == LogTail.End.READ) {
                return;
            }
            pause = end == LogTail.End.FAILED ? Math.min(LONGEST_PAUSE, pause * 2) : FIRST_PAUSE;
            Pauses.millis(pause);
        }
    }

    /** Tells what was read and ends turns. */
    private void sweep() {
        while (!closed) {
            tails.values().forEach(tail -> tail.flush(false));
            tails.values().stream()
                    .filter(tail -> tail.nanosQuiet() > (tail.isGone() ? LAST_WORDS_NANOS : QUIET_NANOS))
                    .forEach(LogTail::leave);
            int queue = turns.getQueueLength();
            if (queue > 0) {
                tails.values().stream()
                        .filter(tail -> tail.nanosOpen() > TURN_NANOS)
                        .sorted(Comparator.comparingLong(LogTail::nanosOpen).reversed())
                        .limit(queue)
                        .forEach(LogTail::leave);
            }
            Pauses.millis(SWEEP_MILLIS);
        }
    }

    @Override
    public void close() {
        closed = true;
        sweeper.interrupt();
        tails.values().forEach(LogTail::gone);
        tails.values().forEach(LogTail::leave);
        teller.close();
    }
}
