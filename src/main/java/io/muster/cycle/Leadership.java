package io.muster.cycle;

import io.micrometer.core.instrument.MeterRegistry;
import io.muster.dispatch.DispatchFence;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
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
    private volatile @Nullable Session session;

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

    @Override
    public boolean isOurs() {
        long epoch = mine.get();
        return epoch != NONE
                && jdbc.sql("select exists (select from scheduler_epoch where epoch = :epoch)")
                        .param("epoch", epoch)
                        .query(Boolean.class)
                        .single();
    }

    /**
     * A connection that this server holds as long as it lives: when it is gone from the database, so is this server, and
     * nobody need wait for the lease to run out. Null: there is none at present.
     */
    void livesWith(@Nullable Session session) {
        this.session = session;
    }

    /** A connection as the database knows it; numbers come again, with another beginning. */
    record Session(int pid, OffsetDateTime since) {}

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
            jdbc.sql(
                            "update scheduler_epoch set holder = '', renewed_at = 'epoch', session_pid = null where epoch = :epoch")
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

    private JdbcClient.StatementSpec withSession(JdbcClient.StatementSpec sql) {
        Session now = session;
        return sql.param("pid", now == null ? null : now.pid(), Types.INTEGER)
                .param("since", now == null ? null : now.since(), Types.TIMESTAMP_WITH_TIMEZONE);
    }

    private boolean touch(long epoch) {
        return withSession(jdbc.sql("""
                                update scheduler_epoch set renewed_at = clock_timestamp(), session_pid = :pid,
                                    session_since = :since
                                where epoch = :epoch
                                """)).param("epoch", epoch).update() == 1;
    }

    private Optional<Long> take() {
        return withSession(jdbc.sql("""
                        update scheduler_epoch e set epoch = epoch + 1, holder = :holder, renewed_at = clock_timestamp(),
                            session_pid = :pid, session_since = :since
                        where renewed_at < clock_timestamp() - :lease * interval '1 millisecond'
                            or session_pid is not null and not exists (select from pg_stat_activity a
                                where a.pid = e.session_pid
                                    -- Hidden from other roles: then it counts as alive.
                                    and coalesce(a.backend_start, e.session_since) = e.session_since)
                        returning epoch
                        """))
                .param("holder", holder)
                .param("lease", settings.lease().toMillis())
                .query(Long.class)
                .optional();
    }
}
