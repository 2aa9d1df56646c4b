package io.muster.job;

import io.muster.database.SqlInstant;
import io.muster.model.FailureClass;
import io.muster.model.GpuTypeId;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaId;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Reads what happened to a job: attempts with their replicas, checkpoints, events. */
@Component
public class JobHistory {
    static final String EVENT_COLUMNS =
            "e.id, e.at, e.job_id, e.team_id, e.attempt, e.kind, e.from_state, e.to_state, e.actor, e.why, e.data";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<LinkedHashMap<String, Object>> MAP = new TypeReference<>() {};

    private final JdbcClient jdbc;

    JobHistory(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** One attempt; replicas in rank order. */
    public record Attempt(
            int number,
            int revision,
            PoolId pool,
            GpuTypeId gpuType,
            @Nullable String level,
            List<String> domain,
            boolean backfilled,
            Instant placedAt,
            @Nullable Instant runningAt,
            @Nullable Instant endedAt,
            @Nullable FailureClass failure,
            @Nullable Integer exitCode,
            @Nullable String message,
            @Nullable String firstFailing,
            @Nullable Long resumeStep,
            @Nullable String resumePath,
            @Nullable JobId beneficiary,
            @Nullable Instant signalAt,
            @Nullable Instant signalDeadline,
            @Nullable Instant savedAt,
            @Nullable Long checkpointStep,
            @Nullable Instant checkpointAt,
            long lostGpuSeconds,
            List<Replica> replicas) {}

    public record Replica(
            String group,
            int index,
            NodeId node,
            int gpus,
            String phase,
            @Nullable String reason,
            @Nullable Integer exitCode,
            @Nullable String message,
            @Nullable Instant startedAt,
            @Nullable Instant releasedAt) {
        /** As log endpoints take it. */
        public String name() {
            return group + "-" + index;
        }
    }

    public record Checkpoint(
            long id,
            int attempt,
            long step,
            String path,
            @Nullable Long bytes,
            boolean requested,
            Instant at) {}

    /** {@code from} and {@code to}: for a change of state alone. */
    public record Event(
            long id,
            Instant at,
            JobId job,
            TeamId team,
            int attempt,
            String kind,
            @Nullable String from,
            @Nullable String to,
            @Nullable UserId actor,
            String why,
            Map<String, Object> data) {}

    /** Newest first. */
    public List<Attempt> attempts(JobId job) {
        Map<Integer, List<Replica>> replicas = new LinkedHashMap<>();
        jdbc.sql("""
                        select attempt, grp, idx, node, gpus, phase, reason, exit_code, message, started_at, released_at
                        from replica where job_id = :job order by attempt, rank_order
                        """).param("job", job.value()).query(row -> {
            replicas.computeIfAbsent(row.getInt("attempt"), n -> new ArrayList<>())
                    .add(replica(row));
        });
        return jdbc.sql("select * from attempt where job_id = :job order by number desc")
                .param("job", job.value())
                .query((row, n) -> attempt(row, replicas.getOrDefault(row.getInt("number"), List.of())))
                .list();
    }

    /** Nodes of the newest attempt's replicas that hold GPUs, in rank order. */
    public List<NodeId> nodes(JobId job) {
        return jdbc.sql("""
                        select node from replica r join job j on j.id = r.job_id and j.attempt = r.attempt
                        where r.job_id = :job and r.released_at is null group by node order by min(rank_order)
                        """)
                .param("job", job.value())
                .query((row, n) -> new NodeId(row.getString(1)))
                .list();
    }

    /** Newest first, at most 500. */
    public List<Checkpoint> checkpoints(JobId job) {
        return jdbc.sql("""
                        select id, attempt, step, path, bytes, signal_id is not null as requested, at
                        from checkpoint where job_id = :job order by id desc limit 500
                        """)
                .param("job", job.value())
                .query((row, n) -> new Checkpoint(
                        row.getLong("id"),
                        row.getInt("attempt"),
                        row.getLong("step"),
                        row.getString("path"),
                        row.getObject("bytes", Long.class),
                        row.getBoolean("requested"),
                        SqlInstant.read(row, "at")))
                .list();
    }

    /** Oldest first, those after an id. */
    public List<Event> events(JobId job, long after, int limit) {
        return jdbc.sql("select " + EVENT_COLUMNS
                        + " from job_event e where e.job_id = :job and e.id > :after order by e.id limit :limit")
                .param("job", job.value())
                .param("after", after)
                .param("limit", limit)
                .query((row, n) -> event(row))
                .list();
    }

    static Event event(ResultSet row) throws SQLException {
        UUID actor = row.getObject("actor", UUID.class);
        String data = row.getString("data");
        return new Event(
                row.getLong("id"),
                SqlInstant.read(row, "at"),
                new JobId(row.getLong("job_id")),
                new TeamId(Objects.requireNonNull(row.getObject("team_id", UUID.class))),
                row.getInt("attempt"),
                row.getString("kind"),
                row.getString("from_state"),
                row.getString("to_state"),
                actor == null ? null : new UserId(actor),
                row.getString("why"),
                data.equals("{}") ? Map.of() : JSON.readValue(data, MAP));
    }

    private static Replica replica(ResultSet row) throws SQLException {
        return new Replica(
                row.getString("grp"),
                row.getInt("idx"),
                new NodeId(row.getString("node")),
                row.getInt("gpus"),
                row.getString("phase"),
                row.getString("reason"),
                row.getObject("exit_code", Integer.class),
                row.getString("message"),
                SqlInstant.readNullable(row, "started_at"),
                SqlInstant.readNullable(row, "released_at"));
    }

    private static Attempt attempt(ResultSet row, List<Replica> replicas) throws SQLException {
        String failure = row.getString("failure");
        Long beneficiary = row.getObject("beneficiary", Long.class);
        return new Attempt(
                row.getInt("number"),
                row.getInt("revision"),
                new PoolId(row.getString("pool")),
                new GpuTypeId(row.getString("gpu_type")),
                row.getString("level"),
                List.of((String[]) row.getArray("domain").getArray()),
                row.getBoolean("backfilled"),
                SqlInstant.read(row, "placed_at"),
                SqlInstant.readNullable(row, "running_at"),
                SqlInstant.readNullable(row, "ended_at"),
                failure == null ? null : failure(failure),
                row.getObject("exit_code", Integer.class),
                row.getString("message"),
                replica(row.getString("first_failing")),
                row.getObject("resume_step", Long.class),
                row.getString("resume_path"),
                beneficiary == null ? null : new JobId(beneficiary),
                SqlInstant.readNullable(row, "signal_at"),
                SqlInstant.readNullable(row, "signal_deadline"),
                SqlInstant.readNullable(row, "saved_at"),
                row.getObject("last_checkpoint_step", Long.class),
                SqlInstant.readNullable(row, "last_checkpoint_at"),
                row.getLong("lost_gpu_seconds"),
                replicas);
    }

    /** A word that is not ours says nothing, and keeps nobody from the rest. */
    static FailureClass failure(String word) {
        return Arrays.stream(FailureClass.values())
                .filter(each -> each.name().equals(word))
                .findFirst()
                .orElse(FailureClass.UNKNOWN);
    }

    private static @Nullable String replica(@Nullable String podName) {
        return podName == null ? null : ReplicaId.nameOf(podName);
    }
}
