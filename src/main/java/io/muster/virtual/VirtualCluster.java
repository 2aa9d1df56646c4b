package io.muster.virtual;

import io.muster.gateway.AttemptSpec;
import io.muster.gateway.CheckpointSignal;
import io.muster.gateway.ClusterGateway;
import io.muster.gateway.ClusterHealth;
import io.muster.gateway.CommandOutcome;
import io.muster.model.AttemptId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Takes commands: each is one short transaction that changes rows, and so what will happen. */
final class VirtualCluster implements ClusterGateway {
    private static final CommandOutcome DONE = new CommandOutcome.Done();

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final Clock clock;
    private final Admission admission;
    private final HostPulse pulse;

    VirtualCluster(
            JdbcClient jdbc, TransactionTemplate transaction, Clock clock, Admission admission, HostPulse pulse) {
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.clock = clock;
        this.admission = admission;
        this.pulse = pulse;
    }

    @Override
    public CommandOutcome start(AttemptSpec attempt) {
        Instant now = now();
        return Objects.requireNonNull(transaction.execute(status -> {
            if (!admission.insert(attempt, now)) {
                return DONE;
            }
            Optional<CommandOutcome> refused = admission.place(attempt, now);
            if (refused.isPresent()) {
                status.setRollbackOnly();
            }
            return refused.orElse(DONE);
        }));
    }

    @Override
    public CommandOutcome signal(AttemptId attempt, CheckpointSignal signal) {
        return Objects.requireNonNull(transaction.execute(_ -> {
            Optional<OffsetDateTime> at = touch(attempt);
            at.ifPresent(asked -> jdbc.sql("""
                    insert into virtual_signal (job_id, attempt, id, asked_at, then_stop) values (?, ?, ?, ?, ?)
                    on conflict do nothing
                    """)
                    .params(attempt.job().value(), attempt.number(), signal.id(), asked, signal.thenStop())
                    .update());
            return DONE;
        }));
    }

    @Override
    public CommandOutcome stop(AttemptId attempt, Duration grace) {
        return Objects.requireNonNull(transaction.execute(_ -> {
            touch(attempt).ifPresent(at -> delete(attempt, at, grace));
            return DONE;
        }));
    }

    @Override
    public ClusterHealth health() {
        return pulse.health();
    }

    /** A second deletion may shorten the grace that is left, never lengthen it. */
    private void delete(AttemptId attempt, OffsetDateTime at, Duration grace) {
        jdbc.sql("""
                update virtual_attempt
                set deleted_at = coalesce(deleted_at, :at),
                    grace_ms = case when deleted_at is null then :grace
                        else least(grace_ms, :grace + extract(epoch from :at - deleted_at) * 1000) end
                where job_id = :job and attempt = :attempt
                """)
                .param("at", at)
                .param("grace", Math.max(0, grace.toMillis()))
                .param("job", attempt.job().value())
                .param("attempt", attempt.number())
                .update();
    }

    /** Locks an attempt of which pods exist, and says when a change of it takes effect: after all that was told. */
    private Optional<OffsetDateTime> touch(AttemptId attempt) {
        return jdbc.sql("""
                update virtual_attempt a
                set version = version + 1,
                    next_due_at = least(a.next_due_at, greatest(:now, a.telling_until + interval '1 ms'))
                where job_id = :job and attempt = :attempt and not gone
                returning greatest(:now, telling_until + interval '1 ms')
                """)
                .param("now", SqlTime.of(now()))
                .param("job", attempt.job().value())
                .param("attempt", attempt.number())
                .query(OffsetDateTime.class)
                .optional();
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
