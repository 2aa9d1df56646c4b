package io.muster.cycle;

import io.muster.accounting.DecayedUsage;
import io.muster.accounting.UserUse;
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
    /** What users used is booked once a minute. */
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final LedgerReader ledger;
    private final LedgerDocuments documents;
    private final Reservations reservations;
    private final DecayedUsage usage;
    private final UserUse userUse;
    private final RunTimes runTimes;
    private final ReclaimBook reclaims;
    private final TransactionTemplate oneInstant;
    private Instant userUseOf = Instant.EPOCH;

    WorldReader(
            LedgerReader ledger,
            LedgerDocuments documents,
            Reservations reservations,
            DecayedUsage usage,
            UserUse userUse,
            RunTimes runTimes,
            ReclaimBook reclaims,
            PlatformTransactionManager transactions) {
        this.ledger = ledger;
        this.documents = documents;
        this.reservations = reservations;
        this.usage = usage;
        this.userUse = userUse;
        this.runTimes = runTimes;
        this.reclaims = reclaims;
        this.oneInstant = new TransactionTemplate(transactions);
        oneInstant.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        oneInstant.setReadOnly(true);
    }

    /** {@code around}: how far back reclaims and use count, and whether run times matter. */
    void refresh(World world, Instant now, Surroundings around) {
        try {
            oneInstant.executeWithoutResult(status -> read(world, now, around));
        } catch (RuntimeException e) {
            world.forget();
            throw e;
        }
    }

    private void read(World world, Instant now, Surroundings around) {
        BigInteger next = ledger.mark();
        BigInteger since = world.mark();
        take(since == null ? ledger.openJobs() : ledger.jobsChangedSince(since), world::take, world);
        take(since == null ? ledger.activeAttempts() : ledger.attemptsChangedSince(since), world::take, world);
        take(since == null ? ledger.heldReplicas() : ledger.replicasChangedSince(since), world::take, world);
        readDocuments(world);
        world.promise(reservations.read());
        world.use(usage.ratios());
        if (since == null || !now.isBefore(userUseOf.plus(MINUTE))) {
            world.useByUser(userUse.ratios(now, around.policy().usageHalfLife()));
            userUseOf = now;
        }
        if (around.learnsRunTimes()) {
            world.learn(runTimes.asOf(now));
        }
        world.reclaim(reclaims.since(now.minus(around.policy().reclaimWindow())));
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
