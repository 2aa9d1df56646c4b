package io.muster.cycle;

import io.muster.accounting.DecayedUsage;
import io.muster.job.LedgerDocuments;
import io.muster.job.LedgerReader;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Brings a {@link World} up to date: reads what changed since it was read last, all at one instant of the database. */
@Component
class WorldReader {
    private static final int PORTION = 2_000;

    private final LedgerReader ledger;
    private final LedgerDocuments documents;
    private final Reservations reservations;
    private final DecayedUsage usage;
    private final ReclaimBook reclaims;
    private final TransactionTemplate oneInstant;

    WorldReader(
            LedgerReader ledger,
            LedgerDocuments documents,
            Reservations reservations,
            DecayedUsage usage,
            ReclaimBook reclaims,
            PlatformTransactionManager transactions) {
        this.ledger = ledger;
        this.documents = documents;
        this.reservations = reservations;
        this.usage = usage;
        this.reclaims = reclaims;
        this.oneInstant = new TransactionTemplate(transactions);
        oneInstant.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        oneInstant.setReadOnly(true);
    }

    /** @param reclaimWindow how far back reclaims count */
    void refresh(World world, Instant now, Duration reclaimWindow) {
        try {
            oneInstant.executeWithoutResult(status -> read(world, now, reclaimWindow));
        } catch (RuntimeException e) {
            world.forget();
            throw e;
        }
    }

    private void read(World world, Instant now, Duration reclaimWindow) {
        BigInteger next = ledger.mark();
        BigInteger since = world.mark();
        take(since == null ? ledger.openJobs() : ledger.jobsChangedSince(since), world::take, world);
        take(since == null ? ledger.activeAttempts() : ledger.attemptsChangedSince(since), world::take, world);
        take(since == null ? ledger.heldReplicas() : ledger.replicasChangedSince(since), world::take, world);
        readDocuments(world);
        world.promise(reservations.read());
        world.use(usage.ratios());
        world.reclaim(reclaims.since(now.minus(reclaimWindow)));
        world.readUpTo(next);
    }

    private static <T> void take(LedgerReader.Rows<T> rows, Consumer<T> take, World world) {
        rows.read().forEach(take);
        rows.unreadable().forEach(world::unreadable);
    }

    /** In portions: whole documents of a hundred thousand jobs would not fit beside one another. */
    private void readDocuments(World world) {
        for (var missing = world.missingDocuments(PORTION);
                !missing.isEmpty();
                missing = world.missingDocuments(PORTION)) {
            LedgerDocuments.Found found = documents.of(missing);
            found.documents().forEach((revision, document) -> world.take(revision.job(), document));
            found.unreadable().forEach((revision, why) -> world.unreadable(revision.job(), why));
        }
    }
}
