package io.muster.cycle;

import io.muster.accounting.UsageBook;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/** What the leader does once a minute besides planning: it keeps the books of use, and looks for broken invariants. */
@Component
class EveryMinute {
    private static final Logger LOG = LoggerFactory.getLogger(EveryMinute.class);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    /** With a clock that runs fast, a minute is a moment. */
    private static final Duration AT_MOST = Duration.ofSeconds(5);

    private final Picture picture;
    private final Leadership leadership;
    private final UsageBook usage;
    private final ShareBook shares;
    private final Auditor auditor;
    private final Quarantine quarantine;
    private final Hangs hangs;
    private final Prune prune;
    private final TransactionOperations transactions;
    private Instant last = Instant.EPOCH;
    private Instant lastPruned = Instant.EPOCH;
    private long lastNanos;

    EveryMinute(
            Picture picture,
            Leadership leadership,
            UsageBook usage,
            ShareBook shares,
            Auditor auditor,
            Quarantine quarantine,
            Hangs hangs,
            Prune prune,
            TransactionOperations transactions) {
        this.picture = picture;
        this.leadership = leadership;
        this.usage = usage;
        this.shares = shares;
        this.auditor = auditor;
        this.quarantine = quarantine;
        this.hangs = hangs;
        this.prune = prune;
        this.transactions = transactions;
    }

    /** A failure here is logged and does not stop the loop. */
    void keep() {
        Instant now = picture.now();
        boolean rested = lastNanos == 0 || System.nanoTime() - lastNanos >= AT_MOST.toNanos();
        if (now.isBefore(last.plus(MINUTE)) || !rested) {
            return;
        }
        Instant before = last;
        last = now;
        lastNanos = System.nanoTime();
        try {
            Surroundings around = picture.glance(Picture.View::around);
            book(around, now);
            care(around, now);
            hangs.keep(around.nodes(), around.policy(), now);
            auditor.audit(before);
            prune(now);
        } catch (StaleEpochException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.error("The books could not be kept; they are kept a minute later", e);
        }
    }

    /** Once an hour is often enough. */
    private void prune(Instant now) {
        if (!now.isBefore(lastPruned.plus(HOUR))) {
            lastPruned = now;
            prune.prune();
        }
    }

    private void care(Surroundings around, Instant now) {
        transactions.executeWithoutResult(status -> {
            leadership.fence();
            quarantine.keep(around.nodes(), now);
        });
    }

    private void book(Surroundings around, Instant now) {
        transactions.executeWithoutResult(status -> {
            leadership.fence();
            usage.book(now, around.prices(), around.policy().usageHalfLife(), shares.entitlements());
        });
    }
}
