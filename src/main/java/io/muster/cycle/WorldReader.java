package io.muster.cycle;

import io.muster.accounting.DecayedUsage;
import io.muster.job.LedgerDocuments;
import io.muster.job.LedgerReader;
import java.math.BigInteger;
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
    private final TransactionTemplate oneInstant;

    WorldReader(
            LedgerReader ledger,
            LedgerDocuments documents,
            Reservations reservations,
            DecayedUsage usage,
            PlatformTransactionManager transactions) {
        this.ledger = ledger;
        this.documents = documents;
        this.reservations = reservations;
        this.usage = usage;
        this.oneInstant = new TransactionTemplate(transactions);
        oneInstant.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        oneInstant.setReadOnly(true);
    }

    void refresh(World world) {
        try {
            oneInstant.executeWithoutResult(status -> read(world));
        } catch (RuntimeException e) {
            world.forget();
            throw e;
        }
    }

    private void read(World world) {
        BigInteger next = ledger.mark();
        BigInteger since = world.mark();
        if (since == null) {
            ledger.openJobs().forEach(world::take);
            ledger.activeAttempts().forEach(world::take);
            ledger.heldReplicas().forEach(world::take);
        } else {
            ledger.jobsChangedSince(since).forEach(world::take);
            ledger.attemptsChangedSince(since).forEach(world::take);
            ledger.replicasChangedSince(since).forEach(world::take);
        }
        readDocuments(world);
        world.promise(reservations.read());
        world.use(usage.ratios());
        world.readUpTo(next);
    }

    /** In portions: whole documents of a hundred thousand jobs would not fit beside one another. */
    private void readDocuments(World world) {
        for (var missing = world.missingDocuments(PORTION);
                !missing.isEmpty();
                missing = world.missingDocuments(PORTION)) {
            var read = documents.of(missing);
            if (read.size() < missing.size()) {
                throw new IllegalStateException("documents are missing of some of " + missing);
            }
            read.forEach((revision, document) -> world.take(revision.job(), document));
        }
    }
}
