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
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes jobs and the revisions of their documents: the half of the ledger that people's requests write. */
@Component
class JobRows {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /**
     * One statement: a submission is one round trip and one transaction, whatever stands against it. The team's row is
     * held: whoever archives it counts this job, or this statement waits and finds it archived.
     */
    private static final String INSERT = """
            with used as (
                select job_id, body_hash from idempotency_key where principal_id = :user and key = :key::text
            ), waits as (
                select count(*)::integer as n from job
                where :cap::integer is not null and submitted_by = :user and team_id = :team
                    and state in ('QUEUED', 'HELD')
            ), home as (
                select id from team where id = :team and archived_at is null for share
            ), j as (
                insert into job (team_id, submitted_by, name, priority_class, preemptible, gpus, replicas, labels, state,
                    submitted_at, waiting_since, shape, walltime_seconds)
                select :team, :user, :name, :priority, :preemptible, :gpus, :replicas, :labels::jsonb, 'QUEUED',
                    :at, :at, :shape::jsonb, :walltime
                where not exists (select from used) and exists (select from home)
                    and (:cap::integer is null or (select n from waits) < :cap::integer)
                returning id
            ), d as (
                insert into job_document (job_id, revision, document, by, at)
                select id, 1, :document::jsonb, :user, :at from j
            ), e as (
                insert into job_event (at, job_id, team_id, attempt, kind, to_state, actor, why)
                select :at, id, :team, 0, 'state-changed', 'QUEUED', :user, 'submitted' from j
            ), k as (
                insert into idempotency_key (principal_id, key, body_hash, job_id)
                select :user, :key, :hash, id from j where :key::text is not null
            )
            select id, job_id as used, body_hash, n as waiting, exists (select from home) as open
            from (select 1) one left join j on true left join used on true left join waits on true
            """;

    private static final String REVISE = """
            update job set revision = :revision, name = :name, priority_class = :priority, preemptible = :preemptible,
                gpus = :gpus, replicas = :replicas, labels = :labels::jsonb, shape = :shape::jsonb,
                walltime_seconds = :walltime, never_fits = false, version = version + 1
            where id = :job
            """;

    private final JdbcClient jdbc;
    private final JobEvents events;
    private final EventBell bell;

    JobRows(JdbcClient jdbc, JobEvents events, EventBell bell) {
        this.jdbc = jdbc;
        this.events = events;
        this.bell = bell;
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

    /** What came of storing a job. */
    sealed interface Inserted {
        record New(JobId job) implements Inserted {}

        record KeyUsed(Used by) implements Inserted {}

        /** The team was archived meanwhile. */
        record TeamArchived() implements Inserted {}

        /** As many jobs of the user wait in the team as may. */
        record QueueFull(int waiting) implements Inserted {}
    }

    /** @param cap how many jobs of the user may wait in the team, or null */
    Inserted insert(
            DocumentCheck.Checked checked,
            UserId user,
            Instant at,
            @Nullable String key,
            byte[] hash,
            @Nullable Integer cap) {
        JobDocument document = checked.document();
        Inserted inserted = columns(jdbc.sql(INSERT), document)
                .param("team", checked.team().id().value())
                .param("user", user.value())
                .param("at", SqlInstant.of(at))
                .param("document", JobDocumentCodec.toJson(document, checked.written()))
                .param("key", key)
                .param("hash", hash)
                .param("cap", cap, java.sql.Types.INTEGER)
                .query((row, n) -> inserted(row))
                .single();
        if (inserted instanceof Inserted.New) {
            bell.ring();
        }
        return inserted;
    }

    private static Inserted inserted(ResultSet row) throws SQLException {
        Long id = row.getObject("id", Long.class);
        if (id != null) {
            return new Inserted.New(new JobId(id));
        }
        Long used = row.getObject("used", Long.class);
        if (used != null) {
            return new Inserted.KeyUsed(new Used(new JobId(used), row.getBytes("body_hash")));
        }
        return row.getBoolean("open") ? new Inserted.QueueFull(row.getInt("waiting")) : new Inserted.TeamArchived();
    }

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
                        select j.id, j.team_id, j.submitted_by, j.state, j.attempt, j.revision, d.document
                        from job j join job_document d on d.job_id = j.id and d.revision = j.revision
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
    private static String shape(JobDocument d) {
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
