package io.muster.virtual;

import io.muster.database.SqlInstant;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Takes commands: each is one short transaction that changes rows, and so what will happen. */
final class VirtualCluster implements ClusterGateway {
    private static final CommandOutcome DONE = new CommandOutcome.Done();
    private static final int BULK = 256;

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
        return start(List.of(attempt)).getFirst();
    }

    @Override
    public List<CommandOutcome> start(List<AttemptSpec> attempts) {
        Instant now = now();
        return Objects.requireNonNull(transaction.execute(_ -> admission.admit(attempts, now)));
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
        var one = new LinkedHashMap<AttemptId, Duration>();
        one.put(attempt, grace);
        return stop(one).getFirst();
    }

    /** A second deletion may shorten the grace that is left, never lengthen it. */
    @Override
    public List<CommandOutcome> stop(SequencedMap<AttemptId, Duration> graces) {
        jdbc.sql("""
                with w as (
                    select * from unnest(:jobs::bigint[], :attempts::integer[], :graces::bigint[])
                        as w (job_id, attempt, grace)),
                locked as (
                    select job_id, attempt, greatest(:now, telling_until + interval '1 ms') as at
                    from virtual_attempt join w using (job_id, attempt)
                    where not gone order by job_id, attempt for update of virtual_attempt)
                update virtual_attempt a
                set version = version + 1,
                    next_due_at = least(a.next_due_at, locked.at),
                    deleted_at = coalesce(a.deleted_at, locked.at),
                    grace_ms = case when a.deleted_at is null then w.grace
                        else least(a.grace_ms, w.grace + extract(epoch from locked.at - a.deleted_at) * 1000) end
                from locked join w using (job_id, attempt)
                where a.job_id = locked.job_id and a.attempt = locked.attempt
                """)
                .param("now", SqlInstant.of(now()))
                .param(
                        "jobs",
                        graces.keySet().stream().map(id -> id.job().value()).toArray(Long[]::new))
                .param(
                        "attempts",
                        graces.keySet().stream().map(AttemptId::number).toArray(Integer[]::new))
                .param(
                        "graces",
                        graces.values().stream()
                                .map(g -> Math.max(0, g.toMillis()))
                                .toArray(Long[]::new))
                .update();
        return graces.keySet().stream().map(_ -> DONE).toList();
    }

    @Override
    public int bulk() {
        return BULK;
    }

    @Override
    public ClusterHealth health() {
        return pulse.health();
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
                .param("now", SqlInstant.of(now()))
                .param("job", attempt.job().value())
                .param("attempt", attempt.number())
                .query(OffsetDateTime.class)
                .optional();
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
