package io.muster.job;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Wakes those, on every server, who tail the events: once for all that was committed within a moment. A NOTIFY in the
 * transaction itself would let transactions commit one after the other, each waiting for the disk alone. A ring that is
 * lost with its server costs nothing: whoever tails looks by himself, too.
 */
@Component
class EventBell implements SmartLifecycle, TransactionSynchronization {
    static final String CHANNEL = "muster_job_event";
    private static final Logger LOG = LoggerFactory.getLogger(EventBell.class);
    private static final Duration MOMENT = Duration.ofMillis(20);
    private static final Duration FINISH_WITHIN = Duration.ofSeconds(2);

    private final JdbcClient jdbc;
    private final Semaphore rung = new Semaphore(0);
    private volatile boolean running;
    private @Nullable Thread ringer;

    EventBell(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** An event was written: rings once it is committed, with whatever else is by then. */
    void ring() {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            // The same one again and again: it is kept once for each transaction.
            TransactionSynchronizationManager.registerSynchronization(this);
        } else {
            afterCommit();
        }
    }

    @Override
    public void afterCommit() {
        if (rung.availablePermits() == 0) {
            rung.release();
        }
    }

    private void tell() {
        while (running) {
            try {
                rung.acquire();
                rung.drainPermits();
                jdbc.sql("select pg_notify(?, '')::text")
                        .param(CHANNEL)
                        .query((row, n) -> "")
                        .single();
                Thread.sleep(MOMENT);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException e) {
                LOG.debug("A notification of events is lost", e);
            }
        }
    }

    @Override
    public void start() {
        running = true;
        ringer = Thread.ofVirtual().name("event-bell").start(this::tell);
    }

    @Override
    public void stop() {
        running = false;
        // Not by interrupt, which would break the connection that it speaks on.
        afterCommit();
        if (ringer != null) {
            try {
                ringer.join(FINISH_WITHIN);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
