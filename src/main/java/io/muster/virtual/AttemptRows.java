package io.muster.virtual;

import io.muster.database.SqlInstant;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import io.muster.simulation.VirtualAttempt;
import io.muster.simulation.VirtualPod;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Reads attempts with their pods and signals, and keeps how far they have been told. */
final class AttemptRows {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final TypeReference<Map<String, String>> ENV = new TypeReference<>() {};
    private static final String CHOSEN = " from unnest(:jobs::bigint[], :numbers::integer[]) as c (job_id, attempt)"
            + " join %s using (job_id, attempt) order by %s";

    private final JdbcClient jdbc;

    AttemptRows(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * An attempt as read.
     *
     * @param version of the row: a change by others since then shows in it
     * @param toldUntil facts up to here have reached the observer
     * @param tellingUntil facts up to here are being told
     * @param ended by rank order, which pods are known to have ended
     * @param gone by rank order, which pods are known to be gone
     */
    record Read(
            VirtualAttempt attempt,
            long version,
            Instant toldUntil,
            Instant tellingUntil,
            List<Boolean> ended,
            List<Boolean> gone) {}

    /** Says, before anything of it is told, that what happens until {@code now} is going to be. */
    List<Read> claimDue(Instant now, int most) {
        List<Head> heads = jdbc.sql("""
                with due as (
                    select job_id, attempt from virtual_attempt
                    where next_due_at <= :now order by next_due_at, job_id, attempt limit :most),
                locked as (
                    select job_id, attempt from virtual_attempt join due using (job_id, attempt)
                    order by job_id, attempt for update of virtual_attempt)
                update virtual_attempt a set telling_until = greatest(a.telling_until, :now)
                from locked where a.job_id = locked.job_id and a.attempt = locked.attempt
                returning a.*
                """)
                .param("now", SqlInstant.of(now))
                .param("most", most)
                .query(AttemptRows::head)
                .list();
        return complete(heads);
    }

    /** Every attempt of which pods exist. */
    List<Read> there() {
        return complete(jdbc.sql("select * from virtual_attempt where not gone order by job_id, attempt")
                .query(AttemptRows::head)
                .list());
    }

    List<ReplicaId> replicasThere() {
        return jdbc.sql("select job_id, attempt, grp, idx from virtual_pod where not gone")
                .query((row, _) -> new ReplicaId(id(row), row.getString("grp"), row.getInt("idx")))
                .list();
    }

    private List<Read> complete(List<Head> heads) {
        List<AttemptId> ids = heads.stream().map(Head::id).toList();
        Map<AttemptId, List<PodRow>> pods = pods(ids);
        Map<AttemptId, List<VirtualAttempt.Signal>> signals = signals(ids);
        return heads.stream()
                .map(head ->
                        head.with(pods.getOrDefault(head.id(), List.of()), signals.getOrDefault(head.id(), List.of())))
                .toList();
    }

    private Map<AttemptId, List<PodRow>> pods(Collection<AttemptId> ids) {
        var pods = new LinkedHashMap<AttemptId, List<PodRow>>();
        chosen("virtual_pod", "job_id, attempt, rank_order", ids).query(row -> {
            pods.computeIfAbsent(id(row), _ -> new ArrayList<>()).add(pod(row));
        });
        return pods;
    }

    private Map<AttemptId, List<VirtualAttempt.Signal>> signals(Collection<AttemptId> ids) {
        var signals = new LinkedHashMap<AttemptId, List<VirtualAttempt.Signal>>();
        chosen("virtual_signal", "asked_at, id", ids).query(row -> {
            signals.computeIfAbsent(id(row), _ -> new ArrayList<>())
                    .add(new VirtualAttempt.Signal(
                            row.getObject("id", UUID.class),
                            SqlInstant.read(row, "asked_at"),
                            row.getBoolean("then_stop")));
        });
        return signals;
    }

    private JdbcClient.StatementSpec chosen(String table, String order, Collection<AttemptId> ids) {
        return jdbc.sql("select *" + CHOSEN.formatted(table, order))
                .param("jobs", ids.stream().map(id -> id.job().value()).toArray(Long[]::new))
                .param("numbers", ids.stream().map(AttemptId::number).toArray(Integer[]::new));
    }

    private static AttemptId id(ResultSet row) throws SQLException {
        return new AttemptId(new JobId(row.getLong("job_id")), row.getInt("attempt"));
    }

    private record PodRow(VirtualPod pod, boolean ended, boolean gone) {}

    private static PodRow pod(ResultSet row) throws SQLException {
        Instant lost = SqlInstant.readNullable(row, "lost_at");
        Instant ordered = SqlInstant.readNullable(row, "ordered_end_at");
        return new PodRow(
                new VirtualPod(
                        new ReplicaId(id(row), row.getString("grp"), row.getInt("idx")),
                        new NodeId(row.getString("node")),
                        row.getInt("gpus"),
                        row.getString("image"),
                        Duration.ofMillis(row.getLong("pull_ms")),
                        lost == null
                                ? null
                                : new VirtualPod.Loss(
                                        lost,
                                        SqlInstant.readNullable(row, "lost_proven_at"),
                                        row.getBoolean("node_deleted")),
                        ordered == null ? null : new VirtualPod.Order(ordered, row.getInt("ordered_exit_code"))),
                row.getBoolean("ended"),
                row.getBoolean("gone"));
    }

    private record Head(
            AttemptId id,
            long seed,
            Map<String, String> env,
            @Nullable String path,
            @Nullable Duration every,
            long resumeStep,
            Instant createdAt,
            VirtualAttempt.@Nullable Deletion deletion,
            long version,
            Instant toldUntil,
            Instant tellingUntil) {

        Read with(List<PodRow> pods, List<VirtualAttempt.Signal> signals) {
            return new Read(
                    new VirtualAttempt(
                            id,
                            seed,
                            env,
                            path,
                            every,
                            resumeStep,
                            createdAt,
                            pods.stream().map(PodRow::pod).toList(),
                            signals,
                            deletion),
                    version,
                    toldUntil,
                    tellingUntil,
                    pods.stream().map(PodRow::ended).toList(),
                    pods.stream().map(PodRow::gone).toList());
        }
    }

    private static Head head(ResultSet row, int number) throws SQLException {
        Instant deleted = SqlInstant.readNullable(row, "deleted_at");
        return new Head(
                id(row),
                row.getLong("seed"),
                JSON.readValue(row.getString("env"), ENV),
                row.getString("checkpoint_path"),
                millisOrNull(row, "checkpoint_every_ms"),
                row.getLong("resume_step"),
                SqlInstant.read(row, "created_at"),
                deleted == null
                        ? null
                        : new VirtualAttempt.Deletion(deleted, Duration.ofMillis(row.getLong("grace_ms"))),
                row.getLong("version"),
                SqlInstant.read(row, "told_until"),
                SqlInstant.read(row, "telling_until"));
    }

    private static @Nullable Duration millisOrNull(ResultSet row, String column) throws SQLException {
        Long value = row.getObject(column, Long.class);
        return value == null ? null : Duration.ofMillis(value);
    }
}
