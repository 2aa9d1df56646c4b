package io.muster.job;

import io.muster.database.Columns;
import io.muster.database.SqlInstant;
import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.stereotype.Component;

/** Where pods are, and with them what holds GPUs. A replica's GPUs come free by proof only. */
@Component
public class ReplicaLedger {
    private static final String SEEN = """
            update replica set phase = w.stage, reason = w.reason, exit_code = w.exit, failure = w.failure,
                message = w.message, phase_at = w.at, started_at = coalesce(started_at, w.started),
                released_at = coalesce(released_at, w.released)
            from unnest(:jobs::bigint[], :attempts::integer[], :groups::text[], :indexes::integer[], :stages::text[],
                    :reasons::text[], :exits::integer[], :failures::text[], :messages::text[], :at::timestamptz[],
                    :started::timestamptz[], :released::timestamptz[])
                as w (job, attempt, grp, idx, stage, reason, exit, failure, message, at, started, released)
            where replica.job_id = w.job and replica.attempt = w.attempt and replica.grp = w.grp and replica.idx = w.idx
            """;
    private static final String DISPATCHED = """
            update replica set phase = 'PENDING', phase_at = :at
            from unnest(:jobs::bigint[], :attempts::integer[]) as w (job, attempt)
            where replica.job_id = w.job and replica.attempt = w.attempt and phase = 'PLANNED'
            """;
    private static final String NEVER_MADE = """
            update replica set phase = 'GONE', phase_at = :at, released_at = :at
            where job_id = :job and attempt = :attempt and released_at is null
            """;

    private final NamedParameterJdbcTemplate jdbc;

    ReplicaLedger(NamedParameterJdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * News of a replica.
     *
     * @param at the cluster's time
     * @param started when it ran first, or null: as known
     * @param released when its GPUs came free, or null: they did not
     */
    public record Sighting(
            ReplicaId replica,
            LedgerReplica.Stage stage,
            @Nullable String reason,
            @Nullable Integer exitCode,
            @Nullable FailureClass failure,
            @Nullable String message,
            Instant at,
            @Nullable Instant started,
            @Nullable Instant released) {}

    public void seen(Collection<Sighting> sightings) {
        if (sightings.isEmpty()) {
            return;
        }
        jdbc.update(
                SEEN,
                Columns.of(sightings)
                        .longs("jobs", s -> s.replica().attempt().job().value())
                        .ints("attempts", s -> s.replica().attempt().number())
                        .texts("groups", s -> s.replica().group())
                        .ints("indexes", s -> s.replica().index())
                        .texts("stages", s -> s.stage().name())
                        .texts("reasons", Sighting::reason)
                        .ints("exits", Sighting::exitCode)
                        .texts(
                                "failures",
                                s -> s.failure() == null ? null : s.failure().name())
                        .texts("messages", Sighting::message)
                        .instants("at", Sighting::at)
                        .instants("started", Sighting::started)
                        .instants("released", Sighting::released)
                        .params());
    }

    /** The cluster was told to make (or to remove) the pods: from now on, a full list that lacks one proves it gone. */
    public void dispatched(Collection<AttemptId> attempts, Instant at) {
        if (!attempts.isEmpty()) {
            jdbc.update(
                    DISPATCHED,
                    Columns.of(attempts)
                            .all("at", SqlInstant.of(at))
                            .longs("jobs", id -> id.job().value())
                            .ints("attempts", AttemptId::number)
                            .params());
        }
    }

    /** The cluster was never told to make the pods: nothing holds GPUs. */
    public void neverMade(AttemptId attempt, Instant at) {
        jdbc.update(NEVER_MADE, params(attempt, at));
    }

    /** Replicas that hold GPUs although a complete list, begun at {@code listed}, did not show them. */
    public List<ReplicaId> heldSinceBefore(Instant listed) {
        return jdbc.query(
                """
                select job_id, attempt, grp, idx from replica
                where released_at is null and phase <> 'PLANNED' and phase_at < :listed
                """, new MapSqlParameterSource("listed", SqlInstant.of(listed)), (row, n) -> LedgerRows.replicaId(row));
    }

    /** Replicas on a node that hold its GPUs. */
    public List<ReplicaId> heldOn(NodeId node) {
        return jdbc.query(
                "select job_id, attempt, grp, idx from replica where released_at is null and node = :node",
                new MapSqlParameterSource("node", node.value()),
                (row, n) -> LedgerRows.replicaId(row));
    }

    private static MapSqlParameterSource params(AttemptId attempt, Instant at) {
        return new MapSqlParameterSource("job", attempt.job().value())
                .addValue("attempt", attempt.number())
                .addValue("at", SqlInstant.of(at));
    }
}
