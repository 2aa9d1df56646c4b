package io.muster.retention;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Clears the shelves once a minute: batches of a few milliseconds, each a transaction of its own and followed by a rest
 * as long as it took, so that the loop and the people who ask notice nothing. Of several servers one clears at a time.
 */
@Component
class Retention implements SmartLifecycle {
    static final int BATCH = 2_000;
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final Duration EVERY = Duration.ofMinutes(1);
    /** A shelf that is far behind (a shorter setting) does not keep the others waiting. */
    private static final Duration MOST_PER_SHELF = Duration.ofSeconds(20);

    /** Of Postgres: whoever holds it clears. */
    static final long LOCK = 0x6d75737465720001L;

    private final List<Shelf> shelves;
    private final KeptFor kept;
    private final JdbcClient jdbc;
    private final TransactionOperations transactions;
    private final MeterRegistry meters;
    private @Nullable ScheduledExecutorService rounds;

    Retention(
            List<Shelf> shelves,
            KeptFor kept,
            JdbcClient jdbc,
            TransactionOperations transactions,
            MeterRegistry meters) {
        this.shelves =
                shelves.stream().sorted(Comparator.comparing(Shelf::name)).toList();
        this.kept = kept;
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.meters = meters;
        // Known from the start, so that a shelf of which nothing goes shows as 0.
        this.shelves.forEach(shelf -> meters.counter("muster.retention.removed", "shelf", shelf.name()));
    }

    /** Clears every shelf as far as its time allows; what is left is for the next pass. */
    void pass() {
        for (Shelf shelf : shelves) {
            try {
                clear(shelf);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException e) {
                meters.counter("muster.retention.failures", "shelf", shelf.name())
                        .increment();
                LOG.warn("What is old of {} could not be removed; it is tried again", shelf.name(), e);
            }
        }
    }

    private void clear(Shelf shelf) throws InterruptedException {
        long end = System.nanoTime() + MOST_PER_SHELF.toNanos();
        long removed = 0;
        boolean more = true;
        while (more && System.nanoTime() < end) {
            long began = System.nanoTime();
            Shelf.Removed batch = Objects.requireNonNull(transactions.execute(status -> batch(shelf)));
            more = batch.more();
            removed += batch.rows();
            meters.counter("muster.retention.removed", "shelf", shelf.name()).increment(batch.rows());
            if (more) {
                TimeUnit.NANOSECONDS.sleep(System.nanoTime() - began);
            }
        }
        if (removed > 0) {
            LOG.info("{} rows of {} were older than {} and are gone", removed, shelf.name(), kept.of(shelf.name()));
        }
    }

    private Shelf.Removed batch(Shelf shelf) {
        return mine() ? shelf.remove(kept.of(shelf.name()), BATCH) : new Shelf.Removed(0, false);
    }

    /** Held until the transaction ends. */
    private boolean mine() {
        return jdbc.sql("select pg_try_advisory_xact_lock(?)")
                .param(LOCK)
                .query(Boolean.class)
                .single();
    }

    @Override
    public void start() {
        rounds = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("retention").factory());
        rounds.scheduleWithFixedDelay(this::pass, EVERY.toSeconds(), EVERY.toSeconds(), TimeUnit.SECONDS);
    }

    /** A batch that is under way is short, and is waited for: its connection must not break. */
    @Override
    public void stop() {
        ScheduledExecutorService ending = rounds;
        rounds = null;
        if (ending == null) {
            return;
        }
        ending.shutdownNow();
        try {
            ending.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return rounds != null;
    }
}
