package io.muster.job;

import io.muster.lifecycle.Life;
import io.muster.model.GpuTypeId;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a {@link JobRow}: the job's row, its newest attempt and, while it waits, its explanation. */
final class JobRowMapper {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private JobRowMapper() {}

    /** A select over {@code jobs}, a table or a query in brackets that has the columns of {@code job}. */
    static String select(String jobs) {
        return """
                select j.id, j.team_id, j.submitted_by, j.name, j.revision, j.priority_class, j.preemptible, j.gpus,
                       j.replicas, j.shape, j.labels, j.state, j.after_state, j.attempt, j.submitted_at, j.waiting_since,
                       j.first_started_at, j.ended_at, j.pool, j.walltime_seconds, j.ran_seconds,
                       a.gpu_type, a.placed_at, a.running_at, a.step, a.of_steps, a.loss, a.progress_at, a.beneficiary,
                       a.signal_deadline, a.saved_at, a.hung_since, x.place, x.body -> 'reasons' -> 0 as binding,
                       x.body ->> 'expectedStart' as expected_start
                from %s j
                left join attempt a on a.job_id = j.id and a.number = j.attempt
                left join explanation x on x.job_id = j.id and j.state in ('QUEUED', 'HELD')
                """.formatted(jobs);
    }

    static JobRow row(ResultSet row, int number) throws SQLException {
        String after = row.getString("after_state");
        String pool = row.getString("pool");
        Long walltime = row.getObject("walltime_seconds", Long.class);
        return new JobRow(
                new JobId(row.getLong("id")),
                new TeamId(Objects.requireNonNull(row.getObject("team_id", UUID.class))),
                new UserId(Objects.requireNonNull(row.getObject("submitted_by", UUID.class))),
                row.getString("name"),
                row.getInt("revision"),
                row.getString("priority_class"),
                row.getBoolean("preemptible"),
                row.getInt("gpus"),
                row.getInt("replicas"),
                shape(row.getString("shape")),
                labels(row.getString("labels")),
                new Life(JobState.valueOf(row.getString("state")), after == null ? null : Life.After.valueOf(after)),
                row.getInt("attempt"),
                SqlInstant.read(row, "submitted_at"),
                SqlInstant.read(row, "waiting_since"),
                SqlInstant.readNullable(row, "first_started_at"),
                SqlInstant.readNullable(row, "ended_at"),
                pool == null ? null : new PoolId(pool),
                walltime == null ? null : Duration.ofSeconds(walltime),
                Duration.ofSeconds(row.getLong("ran_seconds")),
                now(row),
                waiting(row));
    }

    private static JobRow.@Nullable Now now(ResultSet row) throws SQLException {
        String type = row.getString("gpu_type");
        if (type == null) {
            return null;
        }
        Long beneficiary = row.getObject("beneficiary", Long.class);
        return new JobRow.Now(
                new GpuTypeId(type),
                SqlInstant.read(row, "placed_at"),
                SqlInstant.readNullable(row, "running_at"),
                progress(row),
                beneficiary == null ? null : new JobId(beneficiary),
                SqlInstant.readNullable(row, "signal_deadline"),
                SqlInstant.readNullable(row, "saved_at"),
                SqlInstant.readNullable(row, "hung_since"));
    }

    private static JobRow.@Nullable Progress progress(ResultSet row) throws SQLException {
        Instant at = SqlInstant.readNullable(row, "progress_at");
        Long step = row.getObject("step", Long.class);
        return at == null || step == null
                ? null
                : new JobRow.Progress(
                        step, row.getObject("of_steps", Long.class), row.getObject("loss", Double.class), at);
    }

    private static JobRow.@Nullable Waiting waiting(ResultSet row) throws SQLException {
        String binding = row.getString("binding");
        String expected = row.getString("expected_start");
        return binding == null
                ? null
                : new JobRow.Waiting(
                        row.getInt("place"),
                        ExplanationCodec.reasonFromJson(binding),
                        expected == null ? null : Instant.parse(expected));
    }

    private static List<JobRow.Shape> shape(String json) {
        List<JobRow.Shape> shape = new ArrayList<>();
        for (JsonNode group : JSON.readTree(json)) {
            shape.add(new JobRow.Shape(
                    group.path(0).asString(),
                    group.path(1).asInt(),
                    group.path(2).asInt()));
        }
        return shape;
    }

    private static Map<String, String> labels(String json) {
        if (json.equals("{}")) {
            return Map.of();
        }
        Map<String, String> labels = new TreeMap<>();
        JSON.readTree(json)
                .properties()
                .forEach(e -> labels.put(e.getKey(), e.getValue().asString()));
        return labels;
    }
}
