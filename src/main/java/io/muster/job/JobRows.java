package io.muster.job;

import io.muster.database.SqlInstant;
import io.muster.model.JobId;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Revises the documents of jobs: with {@link JobInserts} the half of the ledger that people's requests write. */
@Component
class JobRows {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final String REVISE = """
            update job set revision = :revision, name = :name, priority_class = :priority, preemptible = :preemptible,
                gpus = :gpus, replicas = :replicas, labels = :labels::jsonb, shape = :shape::jsonb,
                walltime_seconds = :walltime, never_fits = false, version = version + 1
            where id = :job
            """;

    private final JdbcClient jdbc;
    private final JobEvents events;

    JobRows(JdbcClient jdbc, JobEvents events) {
        this.jdbc = jdbc;
        this.events = events;
    }

    /** A key that was used, and for what. */
    record Used(JobId job, byte[] hash) {}

    /** A job's document as stored, with the row locked. */
    record Locked(
            JobId job,
            TeamId team,
            UserId owner,
            io.muster.model.JobState state,
            int attempt,
            int revision,
            String document) {}

    /** The user's other submissions to the team wait until the transaction ends. */
    void takeTurn(TeamId team, UserId user) {
        jdbc.sql("select 1 from (select pg_advisory_xact_lock(hashtextextended(:who, 0))) turn")
                .param("who", team + "/" + user)
                .query(Integer.class)
                .single();
    }

    Optional<Used> byKey(UserId user, String key) {
        return jdbc.sql("select job_id, body_hash from idempotency_key where principal_id = :user and key = :key")
                .param("user", user.value())
                .param("key", key)
                .query((row, n) -> new Used(new JobId(row.getLong(1)), row.getBytes(2)))
                .optional();
    }

    /** Jobs of the user that wait in the team, held ones too. */
    int waiting(TeamId team, UserId user) {
        return jdbc.sql("""
                        select count(*) from job
                        where submitted_by = :user and team_id = :team and state in ('QUEUED', 'HELD')
                        """)
                .param("user", user.value())
                .param("team", team.value())
                .query(Integer.class)
                .single();
    }

    /** In two statements: a join that waits for the lock looks for the document of the revision before it waited. */
    Optional<Locked> lock(JobId job) {
        return jdbc.sql("select 1 from job where id = :job for no key update")
                .param("job", job.value())
                .query(Integer.class)
                .optional()
                .map(locked -> underLock(job));
    }

    private Locked underLock(JobId job) {
        return jdbc.sql("""
                        select j.id, j.team_id, j.submitted_by, j.state, j.attempt, j.revision,
                               coalesce(d.document, 'null') as document
                        from job j left join job_document d on d.job_id = j.id and d.revision = j.revision
                        where j.id = :job
                        """)
                .param("job", job.value())
                .query((row, n) -> locked(row))
                .single();
    }

    /** Stores a new revision of a locked job's document and puts it in force. */
    void revise(Locked job, JobDocument document, ObjectNode written, UserId by, Instant at, Cause cause) {
        int revision = job.revision() + 1;
        jdbc.sql("insert into job_document (job_id, revision, document, by, at)"
                        + " values (:job, :revision, :document::jsonb, :by, :at)")
                .param("job", job.job().value())
                .param("revision", revision)
                .param("document", JobDocumentCodec.toJson(document, written))
                .param("by", by.value())
                .param("at", SqlInstant.of(at))
                .update();
        columns(jdbc.sql(REVISE), document)
                .param("job", job.job().value())
                .param("revision", revision)
                .update();
        Map<String, Object> data = new java.util.TreeMap<>(cause.data());
        data.put("revision", revision);
        events.append(job.job(), job.attempt(), "document-changed", new Cause(cause.actor(), cause.why(), data));
    }

    /** Keeps the reason of a locked job that is held, or will be once it has stopped; false when it is neither. */
    boolean keepHoldReason(Locked job, Cause cause, String why) {
        boolean kept =
                jdbc.sql("""
                                update job set hold_why = :why, version = version + 1
                                where id = :job and (state = 'HELD' or after_state = 'HELD')
                                """).param("why", why).param("job", job.job().value()).update() == 1;
        if (kept) {
            events.append(job.job(), job.attempt(), "hold-reason-changed", cause);
        }
        return kept;
    }

    private static JdbcClient.StatementSpec columns(JdbcClient.StatementSpec sql, JobDocument d) {
        return sql.param("name", d.name())
                .param("priority", d.priority())
                .param("preemptible", d.preemptible())
                .param("gpus", d.gpus())
                .param("replicas", d.replicas())
                .param("labels", JSON.writeValueAsString(d.labels()))
                .param("shape", shape(d))
                .param("walltime", d.walltime() == null ? null : d.walltime().toSeconds(), java.sql.Types.BIGINT);
    }

    /** Name, replicas and GPUs of a replica of each group, as lists show them; of an elastic one its fewest replicas too. */
    static String shape(JobDocument d) {
        ArrayNode shape = JSON.createArrayNode();
        for (JobDocument.Group g : d.groups()) {
            ArrayNode group = shape.addArray()
                    .add(g.name())
                    .add(g.replicas())
                    .add(g.each().gpus());
            if (g.isElastic()) {
                group.add(g.min());
            }
        }
        return shape.toString();
    }

    private static Locked locked(ResultSet row) throws SQLException {
        return new Locked(
                new JobId(row.getLong("id")),
                new TeamId(Objects.requireNonNull(row.getObject("team_id", java.util.UUID.class))),
                new UserId(Objects.requireNonNull(row.getObject("submitted_by", java.util.UUID.class))),
                io.muster.model.JobState.valueOf(row.getString("state")),
                row.getInt("attempt"),
                row.getInt("revision"),
                row.getString("document"));
    }
}
