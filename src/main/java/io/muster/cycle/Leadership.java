package io.muster.cycle;

import io.micrometer.core.instrument.MeterRegistry;
import io.muster.dispatch.DispatchFence;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Which server plans. The leader holds an epoch, a number that only grows; every commit of a plan first touches the row
 * of that very epoch, so that a leader that slept through its replacement cannot commit. Leases go by the database's
 * clock, the same for all servers.
 */
@Component
class Leadership implements DispatchFence {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
    private static final long NONE = 0;

    private final JdbcClient jdbc;
    private final CycleSettings settings;
    private final String holder = UUID.randomUUID().toString();
    private final AtomicLong mine = new AtomicLong(NONE);

    Leadership(JdbcClient jdbc, CycleSettings settings, MeterRegistry meters) {
        this.jdbc = jdbc;
        this.settings = settings;
        meters.gauge("muster.cycle.epoch", mine);
    }

    /** Renews this server's epoch, or takes a new one when nobody leads. */
    boolean lead() {
        long epoch = mine.get();
        if (epoch != NONE) {
            if (touch(epoch)) {
                return true;
            }
            stepDown(epoch);
        }
        Optional<Long> taken = take();
        taken.ifPresent(next -> {
            mine.set(next);
            LOG.info("This server leads under epoch {}", next);
        });
        return taken.isPresent();
    }

    /**
     * The first statement of every commit.
     *
     * @throws StaleEpochException when this server does not lead any more; the caller's transaction must roll back
     */
    void fence() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException("a fence outside a transaction guards nothing");
        }
        long epoch = mine.get();
        if (epoch == NONE || !touch(epoch)) {
            stepDown(epoch);
            throw new StaleEpochException(epoch);
        }
    }

    @Override
    public OptionalLong epoch() {
        long epoch = mine.get();
        boolean leads = epoch != NONE
                && jdbc.sql("select epoch from scheduler_epoch where epoch = :epoch for share")
                        .param("epoch", epoch)
                        .query(Long.class)
                        .optional()
                        .isPresent();
        return leads ? OptionalLong.of(epoch) : OptionalLong.empty();
    }

    boolean leads() {
        return mine.get() != NONE;
    }

    /** The epoch that this server believes to be its own; 0: none. */
    long believed() {
        return mine.get();
    }

    /** Lets another server lead at once. */
    void giveUp() {
        long epoch = mine.getAndSet(NONE);
        if (epoch != NONE) {
            jdbc.sql("update scheduler_epoch set holder = '', renewed_at = 'epoch' where epoch = :epoch")
                    .param("epoch", epoch)
                    .update();
            LOG.info("This server gives up epoch {}", epoch);
        }
    }

    private void stepDown(long epoch) {
        if (mine.compareAndSet(epoch, NONE) && epoch != NONE) {
            LOG.warn("Another server leads; epoch {} is over", epoch);
        }
    }

    private boolean touch(long epoch) {
        return jdbc.sql("update scheduler_epoch set renewed_at = clock_timestamp() where epoch = :epoch")
                        .param("epoch", epoch)
                        .update()
                == 1;
    }

    private Optional<Long> take() {
        return jdbc.sql("""
                        update scheduler_epoch set epoch = epoch + 1, holder = :holder, renewed_at = clock_timestamp()
                        where renewed_at < clock_timestamp() - :lease * interval '1 millisecond'
                        returning epoch
                        """)
                .param("holder", holder)
                .param("lease", settings.lease().toMillis())
                .query(Long.class)
                .optional();
    }
}
