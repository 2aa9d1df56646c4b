package io.muster.job;

import io.muster.database.SqlInstant;
import io.muster.lifecycle.Life;
import io.muster.model.GpuTypeId;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.PoolId;
import io.muster.model.Reason;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a {@link JobRow}: the job's row, its newest attempt and, while it waits, its explanation. */
final class JobRowMapper {
    private static final Logger LOG = LoggerFactory.getLogger(JobRowMapper.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    static final String DAMAGED = "What is stored of it cannot be read; an administrator has to repair it.";

    private JobRowMapper() {}

    /** A select over {@code jobs}, a table or a query in brackets that has the columns of {@code job}. */
    static String select(String jobs) {
        return """
                select j.id, j.team_id, j.submitted_by, j.name, j.revision, j.priority_class, j.preemptible, j.gpus,
                       j.replicas, j.shape, j.labels, j.state, j.after_state, j.attempt, j.submitted_at, j.waiting_since,
                       j.first_started_at, j.ended_at, j.pool, j.walltime_seconds, j.ran_seconds, j.ran_gpu_seconds,
                       a.gpu_type, a.replicas as replicas_now, a.gpus as gpus_now, a.placed_at, a.running_at, a.step,
                       a.of_steps, a.loss, a.progress_at, a.beneficiary,
                       a.signal_deadline, a.saved_at, a.hung_since, x.place, x.body -> 'reasons' -> 0 as binding,
                       x.body ->> 'expectedStart' as expected_start, x.body ->> 'latestStart' as latest_start
                from %s j
                left join attempt a on a.job_id = j.id and a.number = j.attempt
                left join explanation x on x.job_id = j.id and j.state in ('QUEUED', 'HELD')
                """.formatted(jobs);
    }

    /**
     * A row that cannot be read must not keep the others of a list from anybody: it is shown as far as it can be.
     */
    static JobRow row(ResultSet row, int number) throws SQLException {
        try {
            return whole(row);
        } catch (RuntimeException | SQLException e) {
            LOG.debug("The row of job {} cannot be read", row.getLong("id"), e);
            return remains(row);
        }
    }

    /** What a damaged row still says; an error of the connection is thrown from here as well. */
    private static JobRow remains(ResultSet row) throws SQLException {
        Life life = lifeOr(row, Life.of(JobState.HELD));
        return new JobRow(
                new JobId(row.getLong("id")),
                new TeamId(Objects.requireNonNull(row.getObject("team_id", UUID.class))),
                new UserId(Objects.requireNonNull(row.getObject("submitted_by", UUID.class))),
                row.getString("name"),
                row.getInt("revision"),
                row.getString("priority_class"),
                row.getBoolean("preemptible"),
                Math.max(0, row.getInt("gpus")),
                Math.max(0, row.getInt("replicas")),
                List.of(),
                Map.of(),
                life,
                row.getInt("attempt"),
                instantOr(row, "submitted_at"),
                instantOr(row, "waiting_since"),
                null,
                life.state().isTerminal() ? instantOr(row, "ended_at") : null,
                null,
                null,
                Duration.ZERO,
                0,
                null,
                new JobRow.Waiting(0, new Reason.Held(DAMAGED), null, null));
    }

    private static Life lifeOr(ResultSet row, Life otherwise) throws SQLException {
        try {
            return life(row);
        } catch (IllegalArgumentException e) {
            return otherwise;
        }
    }

    private static Instant instantOr(ResultSet row, String column) {
        try {
            return SqlInstant.readSound(row, column);
        } catch (RuntimeException | SQLException e) {
            return Instant.EPOCH;
        }
    }

    private static Life life(ResultSet row) throws SQLException {
        String after = row.getString("after_state");
        return new Life(JobState.valueOf(row.getString("state")), after == null ? null : Life.After.valueOf(after));
    }

    private static JobRow whole(ResultSet row) throws SQLException {
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
                life(row),
                row.getInt("attempt"),
                SqlInstant.readSound(row, "submitted_at"),
                SqlInstant.readSound(row, "waiting_since"),
                SqlInstant.readSoundOrNull(row, "first_started_at"),
                SqlInstant.readSoundOrNull(row, "ended_at"),
                pool == null ? null : new PoolId(pool),
                walltime == null ? null : Duration.ofSeconds(walltime),
                Duration.ofSeconds(row.getLong("ran_seconds")),
                row.getLong("ran_gpu_seconds"),
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
                row.getInt("replicas_now"),
                row.getInt("gpus_now"),
                SqlInstant.readSound(row, "placed_at"),
                SqlInstant.readSoundOrNull(row, "running_at"),
                progress(row),
                beneficiary == null ? null : new JobId(beneficiary),
                SqlInstant.readSoundOrNull(row, "signal_deadline"),
                SqlInstant.readSoundOrNull(row, "saved_at"),
                SqlInstant.readSoundOrNull(row, "hung_since"));
    }

    private static JobRow.@Nullable Progress progress(ResultSet row) throws SQLException {
        Instant at = SqlInstant.readSoundOrNull(row, "progress_at");
        Long step = row.getObject("step", Long.class);
        return at == null || step == null
                ? null
                : new JobRow.Progress(
                        step, row.getObject("of_steps", Long.class), row.getObject("loss", Double.class), at);
    }

    private static JobRow.@Nullable Waiting waiting(ResultSet row) throws SQLException {
        String binding = row.getString("binding");
        return binding == null
                ? null
                : new JobRow.Waiting(
                        row.getInt("place"),
                        ExplanationCodec.reasonFromJson(binding),
                        instant(row.getString("expected_start")),
                        instant(row.getString("latest_start")));
    }

    private static @Nullable Instant instant(@Nullable String text) {
        return text == null ? null : Instant.parse(text);
    }

    private static List<JobRow.Shape> shape(String json) {
        List<JobRow.Shape> shape = new ArrayList<>();
        for (JsonNode group : JSON.readTree(json)) {
            shape.add(new JobRow.Shape(
                    group.path(0).asString(),
                    group.path(1).asInt(),
                    group.path(3).asInt(group.path(1).asInt()),
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
