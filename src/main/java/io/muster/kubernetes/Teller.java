package io.muster.kubernetes;

import io.muster.gateway.ClusterFact;
import io.muster.gateway.ClusterObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the observer, in order, on a thread of its own, again and again until it has kept what it was told. What waits
 * is bounded: one who only repeats what is so may lose a fact here and tell all of it later; one who cannot waits.
 */
final class Teller implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Teller.class);
    private static final int AT_ONCE = 500;
    private static final long FIRST_PAUSE = 100;
    private static final long LONGEST_PAUSE = 5_000;

    private final ClusterObserver observer;
    private final BlockingQueue<ClusterFact> waiting;
    private final Thread thread;
    private final AtomicLong kept = new AtomicLong();
    private long lastTaken;
    private volatile boolean closed;

    Teller(String name, ClusterObserver observer, int bound) {
        this.observer = observer;
        this.waiting = new LinkedBlockingQueue<>(bound);
        this.thread = Thread.ofVirtual().name(name).start(this::run);
    }

    /** False when too much waits already: the fact is lost. */
    synchronized boolean tell(ClusterFact fact) {
        if (!waiting.offer(fact)) {
            return false;
        }
        lastTaken++;
        return true;
    }

    /** Waits for room. False when this is closed: the fact is lost. */
    boolean tellWhenThereIsRoom(ClusterFact fact) {
        while (!closed) {
            if (tell(fact)) {
                return true;
            }
            Pauses.millis(20);
        }
        return false;
    }

    /** Names what has been taken so far, to be asked about later. */
    synchronized long lastTaken() {
        return lastTaken;
    }

    /** Whether the observer has kept everything up to there. */
    boolean hasKept(long taken) {
        return kept.get() >= taken;
    }

    private void run() {
        var batch = new ArrayList<ClusterFact>(AT_ONCE);
        try {
            while (!closed) {
                batch.add(waiting.take());
                waiting.drainTo(batch, AT_ONCE - 1);
                untilKept(List.copyOf(batch));
                batch.clear();
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private void untilKept(List<ClusterFact> facts) throws InterruptedException {
        for (long pause = FIRST_PAUSE; !closed; pause = Math.min(LONGEST_PAUSE, pause * 2)) {
            try {
                observer.observe(facts);
                kept.addAndGet(facts.size());
                return;
            } catch (RuntimeException notKept) {
                LOG.warn("facts from the cluster could not be kept and are told again: {}", notKept.toString());
                Thread.sleep(pause);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
