package io.muster.job;

import io.muster.lifecycle.Life;
import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import io.muster.model.GpuTypeId;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaId;
import io.muster.model.Resources;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads the rows of the ledger: one by one, those of a few jobs, or all that changed since a mark. */
@Component
public class LedgerReader {
    private static final String JOB = """
            select id, team_id, submitted_by, revision, priority_class, preemptible, gpus, replicas, never_fits, state,
                   after_state, attempt, submitted_at, waiting_since, first_started_at, pool, hold_why, backoff_until,
                   backoff_after, excluded_nodes, not_beside, ran_seconds, user_retries_used,
                   infrastructure_retries_used, protected_until, resume_path, resume_step, version,
                   array(select (extract(epoch from t) * 1000000)::bigint from unnest(preempted_at) t) as preempted
            from job
            """;
    private static final String ATTEMPT = """
            select job_id, number, revision, pool, gpu_type, backfilled, placed_at, running_at, ended_at, failure,
                   message, resume_path, resume_step, beneficiary, signal_id, signal_at, signal_deadline,
                   signal_then_stop, last_checkpoint_at, first_step_at, program_finished, lost_gpu_seconds
            from attempt
            """;
    private static final String REPLICA = """
            select job_id, attempt, grp, idx, rank_order, node, gpus, cpu_millis, memory_bytes, phase, reason,
                   exit_code, failure, message, phase_at, started_at, released_at
            from replica
            """;

    private static final Set<String> OVER = Set.of("SUCCEEDED", "FAILED", "CANCELLED");

    /** No date of ours lies beyond; what says so is damaged. */
    private static final Instant FAR = Instant.parse("9999-01-01T00:00:00Z");

    private final JdbcClient jdbc;

    /**
     * Many rows, as far as they can be read: one that cannot be must not keep the others from anybody.
     *
     * @param unreadable whose the others are, and what is wrong
     */
    public record Rows<T>(List<T> read, List<Unreadable> unreadable) {}

    /**
     * A row that cannot be read, as far as it can be.
     *
     * @param over the job has ended, or the replica holds nothing any more
     */
    public sealed interface Unreadable {
        String why();

        record Job(JobId id, boolean over, String why) implements Unreadable {}

        record Attempt(AttemptId id, String why) implements Unreadable {}

        record Replica(ReplicaId id, NodeId node, boolean over, String why) implements Unreadable {}
    }

    public LedgerReader(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    public Optional<LedgerJob> job(JobId id) {
        return jdbc.sql(JOB + " where id = :id")
                .param("id", id.value())
                .query((row, n) -> job(row))
                .optional();
    }

    /**
     * Locks the rows in the order of their ids, so that no two transactions wait for each other. Not against keys: whoever
     * writes a row that refers to a job (a promise, an event) has locked others already and must not wait here.
     */
    public List<LedgerJob> lock(Collection<JobId> ids) {
        return jdbc.sql(JOB + " where id = any(:ids) order by id for no key update")
                .param("ids", array(ids))
                .query((row, n) -> job(row))
                .list();
    }

    public Optional<LedgerAttempt> attempt(AttemptId id) {
        return jdbc.sql(ATTEMPT + " where job_id = :job and number = :number")
                .param("job", id.job().value())
                .param("number", id.number())
                .query((row, n) -> attempt(row))
                .optional();
    }

    /** The newest attempt of each job that has one. */
    public List<LedgerAttempt> newestAttempts(Collection<JobId> ids) {
        return jdbc.sql(
                        ATTEMPT
                                + " where (job_id, number) in (select id, attempt from job where id = any(:ids)) order by job_id")
                .param("ids", array(ids))
                .query((row, n) -> attempt(row))
                .list();
    }

    /** Replicas of an attempt in rank order. */
    public List<LedgerReplica> replicas(AttemptId id) {
        return jdbc.sql(REPLICA + " where job_id = :job and attempt = :attempt order by rank_order")
                .param("job", id.job().value())
                .param("attempt", id.number())
                .query((row, n) -> replica(row))
                .list();
    }

    /** Every replica that still holds its GPUs. */
    public Rows<LedgerReplica> heldReplicas() {
        return replicas(jdbc.sql(REPLICA + " where released_at is null order by job_id, attempt, rank_order"));
    }

    /** Below this, every transaction has ended: what is read after {@code mark} was taken misses nothing older. */
    public BigInteger mark() {
        return jdbc.sql("select pg_snapshot_xmin(pg_current_snapshot())::text")
                .query((row, n) -> new BigInteger(row.getString(1)))
                .single();
    }

    /** Jobs that are not over. */
    public Rows<LedgerJob> openJobs() {
        return jobs(jdbc.sql(JOB + " where state not in ('SUCCEEDED', 'FAILED', 'CANCELLED') order by id"));
    }

    public Rows<LedgerJob> jobsChangedSince(BigInteger mark) {
        return jobs(jdbc.sql(JOB + " where changed >= :mark::xid8 order by id").param("mark", mark.toString()));
    }

    /** The newest attempts of all jobs that are active. */
    public Rows<LedgerAttempt> activeAttempts() {
        return attempts(jdbc.sql(ATTEMPT
                + " where (job_id, number) in (select id, attempt from job where state in"
                + " ('STARTING', 'RUNNING', 'CHECKPOINTING', 'STOPPING')) order by job_id"));
    }

    public Rows<LedgerAttempt> attemptsChangedSince(BigInteger mark) {
        return attempts(jdbc.sql(ATTEMPT + " where changed >= :mark::xid8 order by job_id, number")
                .param("mark", mark.toString()));
    }

    public Rows<LedgerReplica> replicasChangedSince(BigInteger mark) {
        return replicas(jdbc.sql(REPLICA + " where changed >= :mark::xid8 order by job_id, attempt, rank_order")
                .param("mark", mark.toString()));
    }

    private static Rows<LedgerJob> jobs(JdbcClient.StatementSpec sql) {
        return rows(
                sql,
                LedgerReader::job,
                (row, why) -> new Unreadable.Job(
                        new JobId(row.getLong("id")), OVER.contains(row.getString("state")), "its row: " + why));
    }

    private static Rows<LedgerAttempt> attempts(JdbcClient.StatementSpec sql) {
        return rows(
                sql,
                LedgerReader::attempt,
                (row, why) -> new Unreadable.Attempt(
                        new AttemptId(new JobId(row.getLong("job_id")), row.getInt("number")), "its attempt: " + why));
    }

    private static Rows<LedgerReplica> replicas(JdbcClient.StatementSpec sql) {
        return rows(sql, LedgerReader::replica, (row, why) -> {
            var attempt = new AttemptId(new JobId(row.getLong("job_id")), row.getInt("attempt"));
            var id = new ReplicaId(attempt, row.getString("grp"), row.getInt("idx"));
            boolean over = row.getObject("released_at") != null;
            return new Unreadable.Replica(
                    id, new NodeId(row.getString("node")), over, "its replica " + id.podName() + ": " + why);
        });
    }

    private interface Reading<T> {
        T read(ResultSet row) throws SQLException;
    }

    private interface Naming {
        Unreadable name(ResultSet row, String why) throws SQLException;
    }

    /** An error of the connection is one at the names as well, and is thrown from there. */
    private static <T> Rows<T> rows(JdbcClient.StatementSpec sql, Reading<T> reading, Naming naming) {
        var read = new ArrayList<T>();
        var unreadable = new ArrayList<Unreadable>();
        sql.query(row -> {
            try {
                read.add(reading.read(row));
            } catch (RuntimeException | SQLException e) {
                unreadable.add(naming.name(row, String.valueOf(e.getMessage())));
            }
        });
        return new Rows<>(read, unreadable);
    }

    private static Long[] array(Collection<JobId> ids) {
        return ids.stream().map(JobId::value).toArray(Long[]::new);
    }

    private static LedgerJob job(ResultSet row) throws SQLException {
        String after = row.getString("after_state");
        return new LedgerJob(
                new JobId(row.getLong("id")),
                new TeamId(row.getObject("team_id", UUID.class)),
                new UserId(row.getObject("submitted_by", UUID.class)),
                row.getInt("revision"),
                row.getString("priority_class"),
                row.getBoolean("preemptible"),
                row.getInt("gpus"),
                row.getInt("replicas"),
                row.getBoolean("never_fits"),
                new Life(JobState.valueOf(row.getString("state")), after == null ? null : Life.After.valueOf(after)),
                row.getInt("attempt"),
                instant(row, "submitted_at"),
                instant(row, "waiting_since"),
                past(row),
                row.getLong("version"));
    }

    private static LedgerJob.Past past(ResultSet row) throws SQLException {
        String pool = row.getString("pool");
        return new LedgerJob.Past(
                instantOrNull(row, "first_started_at"),
                pool == null ? null : new PoolId(pool),
                row.getString("hold_why"),
                instantOrNull(row, "backoff_until"),
                failure(row, "backoff_after"),
                strings(row, "excluded_nodes").stream().map(NodeId::new).toList(),
                longs(row, "not_beside").stream().map(JobId::new).toList(),
                row.getLong("ran_seconds"),
                row.getInt("user_retries_used"),
                row.getInt("infrastructure_retries_used"),
                longs(row, "preempted").stream()
                        .map(micros -> Instant.EPOCH.plus(micros, ChronoUnit.MICROS))
                        .toList(),
                instantOrNull(row, "protected_until"),
                row.getString("resume_path"),
                row.getObject("resume_step", Long.class));
    }

    private static LedgerAttempt attempt(ResultSet row) throws SQLException {
        Long beneficiary = row.getObject("beneficiary", Long.class);
        return new LedgerAttempt(
                new AttemptId(new JobId(row.getLong("job_id")), row.getInt("number")),
                row.getInt("revision"),
                new PoolId(row.getString("pool")),
                new GpuTypeId(row.getString("gpu_type")),
                row.getBoolean("backfilled"),
                instant(row, "placed_at"),
                instantOrNull(row, "running_at"),
                instantOrNull(row, "ended_at"),
                failure(row, "failure"),
                row.getString("message"),
                row.getString("resume_path"),
                row.getObject("resume_step", Long.class),
                beneficiary == null ? null : new JobId(beneficiary),
                signal(row),
                instantOrNull(row, "last_checkpoint_at"),
                instantOrNull(row, "first_step_at"),
                row.getBoolean("program_finished"),
                row.getLong("lost_gpu_seconds"));
    }

    private static LedgerAttempt.@Nullable Signal signal(ResultSet row) throws SQLException {
        UUID id = row.getObject("signal_id", UUID.class);
        return id == null
                ? null
                : new LedgerAttempt.Signal(
                        id,
                        instant(row, "signal_at"),
                        instant(row, "signal_deadline"),
                        row.getBoolean("signal_then_stop"));
    }

    private static LedgerReplica replica(ResultSet row) throws SQLException {
        var attempt = new AttemptId(new JobId(row.getLong("job_id")), row.getInt("attempt"));
        return new LedgerReplica(
                new ReplicaId(attempt, row.getString("grp"), row.getInt("idx")),
                row.getInt("rank_order"),
                new NodeId(row.getString("node")),
                amount(row),
                LedgerReplica.Stage.valueOf(row.getString("phase")),
                row.getString("reason"),
                row.getObject("exit_code", Integer.class),
                failure(row, "failure"),
                row.getString("message"),
                instantOrNull(row, "phase_at"),
                instantOrNull(row, "started_at"),
                instantOrNull(row, "released_at"));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(instantOrNull(row, column), column);
    }

    private static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
        Instant at = SqlInstant.readNullable(row, column);
        if (at != null && (at.isAfter(FAR) || at.isBefore(Instant.EPOCH))) {
            throw new DateTimeException(column + " says " + at);
        }
        return at;
    }

    private static Resources amount(ResultSet row) throws SQLException {
        var amount = new Resources(row.getInt("gpus"), row.getLong("cpu_millis"), row.getLong("memory_bytes"));
        if (!Resources.NONE.fitsIn(amount)) {
            throw new IllegalArgumentException("it holds " + amount);
        }
        return amount;
    }

    private static @Nullable FailureClass failure(ResultSet row, String column) throws SQLException {
        String name = row.getString(column);
        return name == null ? null : FailureClass.valueOf(name);
    }

    private static List<String> strings(ResultSet row, String column) throws SQLException {
        return values(row.getArray(column), String.class);
    }

    private static List<Long> longs(ResultSet row, String column) throws SQLException {
        return values(row.getArray(column), Long.class);
    }

    private static <T> List<T> values(@Nullable Array array, Class<T> type) throws SQLException {
        var values = new ArrayList<T>();
        if (array != null) {
            for (Object value : (Object[]) array.getArray()) {
                values.add(type.cast(value));
            }
        }
        return values;
    }
}
