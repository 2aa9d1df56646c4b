package io.muster.job;

import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
            select job_id, number, revision, pool, gpu_type, backfilled, replicas, gpus, placed_at, running_at, ended_at,
                   failure, message, resume_path, resume_step, beneficiary, moves, signal_id, signal_at,
                   signal_deadline, signal_then_stop, last_checkpoint_at, first_step_at, program_finished, lost_gpu_seconds
            from attempt
            """;
    private static final String REPLICA = """
            select job_id, attempt, grp, idx, rank_order, node, gpus, cpu_millis, memory_bytes, phase, reason,
                   exit_code, failure, message, phase_at, started_at, released_at
            from replica
            """;

    private static final String CHOSEN =
            " join unnest(:jobs::bigint[], :attempts::integer[]) as c (job, nth) on (c.job, c.nth) = (job_id, %s)";

    private static final Set<String> OVER = Set.of("SUCCEEDED", "FAILED", "CANCELLED");

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
                .query((row, n) -> LedgerRows.job(row))
                .optional();
    }

    /** Those of {@code ids} that there are. */
    public List<LedgerJob> jobs(Collection<JobId> ids) {
        return jdbc.sql(JOB + " where id = any(:ids)")
                .param("ids", array(ids))
                .query((row, n) -> LedgerRows.job(row))
                .list();
    }

    /**
     * Locks the rows in the order of their ids, so that no two transactions wait for each other. Not against keys: whoever
     * writes a row that refers to a job (a promise, an event) has locked others already and must not wait here.
     */
    public List<LedgerJob> lock(Collection<JobId> ids) {
        return jdbc.sql(JOB + " where id = any(:ids) order by id for no key update")
                .param("ids", array(ids))
                .query((row, n) -> LedgerRows.job(row))
                .list();
    }

    public Optional<LedgerAttempt> attempt(AttemptId id) {
        return jdbc.sql(ATTEMPT + " where job_id = :job and number = :number")
                .param("job", id.job().value())
                .param("number", id.number())
                .query((row, n) -> LedgerRows.attempt(row))
                .optional();
    }

    /** Those of {@code ids} that there are. */
    public List<LedgerAttempt> attempts(Collection<AttemptId> ids) {
        return chosen(ATTEMPT + CHOSEN.formatted("number"), ids)
                .query((row, n) -> LedgerRows.attempt(row))
                .list();
    }

    /** The newest attempt of each job that has one. */
    public List<LedgerAttempt> newestAttempts(Collection<JobId> ids) {
        return jdbc.sql(
                        ATTEMPT
                                + " where (job_id, number) in (select id, attempt from job where id = any(:ids)) order by job_id")
                .param("ids", array(ids))
                .query((row, n) -> LedgerRows.attempt(row))
                .list();
    }

    /** Replicas of an attempt in rank order. */
    public List<LedgerReplica> replicas(AttemptId id) {
        return jdbc.sql(REPLICA + " where job_id = :job and attempt = :attempt order by rank_order")
                .param("job", id.job().value())
                .param("attempt", id.number())
                .query((row, n) -> LedgerRows.replica(row))
                .list();
    }

    /** Replicas of many attempts, of each in rank order. */
    public Map<AttemptId, List<LedgerReplica>> replicas(Collection<AttemptId> ids) {
        var replicas = new HashMap<AttemptId, List<LedgerReplica>>();
        ids.forEach(id -> replicas.put(id, new ArrayList<>()));
        chosen(REPLICA + CHOSEN.formatted("attempt") + " order by rank_order", ids)
                .query((row, n) -> LedgerRows.replica(row))
                .list()
                .forEach(r ->
                        Objects.requireNonNull(replicas.get(r.id().attempt())).add(r));
        return replicas;
    }

    private JdbcClient.StatementSpec chosen(String sql, Collection<AttemptId> ids) {
        return jdbc.sql(sql)
                .param("jobs", ids.stream().map(id -> id.job().value()).toArray(Long[]::new))
                .param("attempts", ids.stream().map(AttemptId::number).toArray(Integer[]::new));
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
                LedgerRows::job,
                (row, why) -> new Unreadable.Job(
                        new JobId(row.getLong("id")), OVER.contains(row.getString("state")), "its row: " + why));
    }

    private static Rows<LedgerAttempt> attempts(JdbcClient.StatementSpec sql) {
        return rows(
                sql,
                LedgerRows::attempt,
                (row, why) -> new Unreadable.Attempt(
                        new AttemptId(new JobId(row.getLong("job_id")), row.getInt("number")), "its attempt: " + why));
    }

    private static Rows<LedgerReplica> replicas(JdbcClient.StatementSpec sql) {
        return rows(sql, LedgerRows::replica, (row, why) -> {
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
}
