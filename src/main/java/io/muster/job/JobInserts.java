package io.muster.job;

import io.muster.database.Columns;
import io.muster.database.Together;
import io.muster.model.JobId;
import io.muster.model.UserId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Stores new jobs. What is submitted while others are being stored is stored together, by one statement and one commit,
 * and each is answered when that is on disk.
 */
@Component
class JobInserts {
    /** Documents may be large. */
    private static final int MOST = 32;

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final HexFormat HEX = HexFormat.of();

    /**
     * One statement: a submission is one round trip and one transaction, whatever stands against it. The team's row is
     * held: whoever archives it counts this job, or this statement waits and finds it archived. Keys are looked up one by
     * one, as no join would whatever statistics say.
     */
    private static final String INSERT = """
            with w as materialized (
                select w.*, nextval('job_id_seq') as id,
                    case when w.key is not null then
                        (select u from idempotency_key u where u.principal_id = w.owner::uuid and u.key = w.key) end as used,
                    case when w.cap is not null then
                        (select count(*)::integer from job where submitted_by = w.owner::uuid and team_id = w.team::uuid
                            and state in ('QUEUED', 'HELD')) end as waiting
                from unnest(:teams::text[], :owners::text[], :names::text[], :priorities::text[], :preemptible::boolean[],
                        :gpus::integer[], :replicas::integer[], :labels::text[], :at::timestamptz[], :shapes::text[],
                        :walltimes::bigint[], :documents::text[], :keys::text[], :hashes::text[], :caps::integer[])
                    with ordinality as w (team, owner, name, priority, preemptible, gpus, replicas, labels, at, shape,
                        walltime, document, key, hash, cap, nth)
            ), home as (
                select id from team where id = any(:teams::uuid[]) and archived_at is null order by id for share
            ), f as materialized (
                select * from w where used is null and team::uuid in (select id from home)
                    and (cap is null or waiting < cap)
            ), j as (
                insert into job (id, team_id, submitted_by, name, priority_class, preemptible, gpus, replicas, labels,
                    state, submitted_at, waiting_since, shape, walltime_seconds)
                overriding system value
                select id, team::uuid, owner::uuid, name, priority, preemptible, gpus, replicas, labels::jsonb, 'QUEUED',
                    at, at, shape::jsonb, walltime from f order by nth
            ), d as (
                insert into job_document (job_id, revision, document, by, at)
                select id, 1, document::jsonb, owner::uuid, at from f order by nth
            ), e as (
                insert into job_event (at, job_id, team_id, attempt, kind, to_state, actor, why)
                select at, id, team::uuid, 0, 'state-changed', 'QUEUED', owner::uuid, 'submitted' from f order by nth
            ), k as (
                insert into idempotency_key (principal_id, key, body_hash, job_id)
                select owner::uuid, key, decode(hash, 'hex'), id from f where key is not null order by owner, key
            )
            select w.id, f.id is not null as stored, (w.used).job_id as used, (w.used).body_hash, w.waiting,
                w.team::uuid in (select id from home) as open
            from w left join f using (nth) order by w.nth
            """;

    private final NamedParameterJdbcTemplate jdbc;
    private final EventBell bell;
    private final Together<Row, Inserted> together = new Together<>(MOST, this::store);

    JobInserts(NamedParameterJdbcTemplate jdbc, EventBell bell) {
        this.jdbc = jdbc;
        this.bell = bell;
    }

    /**
     * A job to store.
     *
     * @param key the idempotency key, or null
     * @param hash of what was sent
     * @param cap how many jobs of the user may wait in the team, or null
     */
    record Row(
            DocumentCheck.Checked checked,
            UserId owner,
            Instant at,
            @Nullable String key,
            byte[] hash,
            @Nullable Integer cap) {
        JobDocument document() {
            return checked.document();
        }

        String team() {
            return checked.team().id().value().toString();
        }

        @Nullable Long walltimeSeconds() {
            return document().walltime() == null ? null : document().walltime().toSeconds();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Row row
                    && checked.equals(row.checked)
                    && owner.equals(row.owner)
                    && at.equals(row.at)
                    && Objects.equals(key, row.key)
                    && Arrays.equals(hash, row.hash)
                    && Objects.equals(cap, row.cap);
        }

        @Override
        public int hashCode() {
            return Objects.hash(checked, owner, at, key, Arrays.hashCode(hash), cap);
        }
    }

    /** What came of storing a job. */
    sealed interface Inserted {
        record New(JobId job) implements Inserted {}

        record KeyUsed(JobRows.Used by) implements Inserted {}

        /** The team was archived meanwhile. */
        record TeamArchived() implements Inserted {}

        /** As many jobs of the user wait in the team as may. */
        record QueueFull(int waiting) implements Inserted {}
    }

    /** In a transaction of its own, with others that come at the same time. */
    Inserted insert(Row row) {
        return together.ask(row);
    }

    /** In the caller's transaction. */
    Inserted insertHere(Row row) {
        return store(List.of(row)).getFirst();
    }

    private List<Inserted> store(List<Row> rows) {
        List<Inserted> stored = jdbc.query(INSERT, columns(rows), (row, n) -> inserted(row));
        if (stored.stream().anyMatch(Inserted.New.class::isInstance)) {
            bell.ring();
        }
        return stored;
    }

    private static org.springframework.jdbc.core.namedparam.SqlParameterSource columns(List<Row> rows) {
        return Columns.of(rows)
                .texts("teams", Row::team)
                .texts("owners", r -> r.owner().value().toString())
                .texts("names", r -> r.document().name())
                .texts("priorities", r -> r.document().priority())
                .flags("preemptible", r -> r.document().preemptible())
                .ints("gpus", r -> r.document().gpus())
                .ints("replicas", r -> r.document().replicas())
                .texts("labels", r -> JSON.writeValueAsString(r.document().labels()))
                .instants("at", Row::at)
                .texts("shapes", r -> JobRows.shape(r.document()))
                .longs("walltimes", Row::walltimeSeconds)
                .texts(
                        "documents",
                        r -> JobDocumentCodec.toJson(r.document(), r.checked().written()))
                .texts("keys", Row::key)
                .texts("hashes", r -> HEX.formatHex(r.hash()))
                .ints("caps", Row::cap)
                .params();
    }

    private static Inserted inserted(ResultSet row) throws SQLException {
        if (row.getBoolean("stored")) {
            return new Inserted.New(new JobId(row.getLong("id")));
        }
        Long used = row.getObject("used", Long.class);
        if (used != null) {
            return new Inserted.KeyUsed(new JobRows.Used(new JobId(used), row.getBytes("body_hash")));
        }
        return row.getBoolean("open") ? new Inserted.QueueFull(row.getInt("waiting")) : new Inserted.TeamArchived();
    }
}
