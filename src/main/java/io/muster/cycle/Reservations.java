package io.muster.cycle;

import io.muster.database.SqlInstant;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.ReservationId;
import io.muster.model.Resources;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.snapshot.ReservationView;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** GPUs kept for jobs, at most one promise per job. */
@Component
public class Reservations {
    private final JdbcClient jdbc;
    private final NamedParameterJdbcTemplate batches;

    Reservations(JdbcClient jdbc, NamedParameterJdbcTemplate batches) {
        this.jdbc = jdbc;
        this.batches = batches;
    }

    /** All reservations, as the core sees them. */
    public List<ReservationView> all() {
        return read().stream().map(Promise::view).toList();
    }

    List<Promise> read() {
        Map<UUID, List<ReplicaPlacement>> places = new HashMap<>();
        jdbc.sql("select * from reservation_place order by reservation_id, grp, idx")
                .query(row -> {
                    places.computeIfAbsent(row.getObject("reservation_id", UUID.class), id -> new ArrayList<>())
                            .add(place(row));
                });
        return jdbc.sql("select * from reservation order by job_id")
                .query((row, n) -> promise(row, places))
                .list();
    }

    private static ReplicaPlacement place(ResultSet row) throws SQLException {
        return new ReplicaPlacement(
                row.getString("grp"),
                row.getInt("idx"),
                new NodeId(row.getString("node")),
                new Resources(row.getInt("gpus"), row.getLong("cpu_millis"), row.getLong("memory_bytes")));
    }

    private static Promise promise(ResultSet row, Map<UUID, List<ReplicaPlacement>> places) throws SQLException {
        UUID id = row.getObject("id", UUID.class);
        var view = new ReservationView(
                new ReservationId(id),
                new JobId(row.getLong("job_id")),
                new PoolId(row.getString("pool")),
                ReservationView.Kind.valueOf(row.getString("kind")),
                places.getOrDefault(id, List.of()),
                SqlInstant.readNullable(row, "start_at"),
                SqlInstant.readNullable(row, "expires_at"));
        var victims = new ArrayList<JobId>();
        for (Object victim : (Object[]) row.getArray("victims").getArray()) {
            victims.add(new JobId((Long) victim));
        }
        return new Promise(view, victims, SqlInstant.readNullable(row, "free_since"));
    }

    /** What became of a wish to reserve. */
    enum Kept {
        NEW,
        CHANGED,
        SAME
    }

    /** Keeps GPUs as decided; a promise of the same places stays the same one. */
    Kept reserve(Decision.Reserve wish, @Nullable Promise present, Instant at) {
        var kind = ReservationView.Kind.valueOf(wish.kind().name());
        boolean samePlaces = present != null
                && present.view().kind() == kind
                && present.view().pool().equals(wish.pool())
                && sorted(present.view().placements()).equals(sorted(wish.placements()));
        if (present != null && samePlaces) {
            return refresh(wish, present);
        }
        release(wish.job());
        insert(wish, at);
        return present == null ? Kept.NEW : Kept.CHANGED;
    }

    private Kept refresh(Decision.Reserve wish, Promise present) {
        boolean same = present.victims().equals(wish.victims())
                && Optional.ofNullable(present.view().startAt()).equals(Optional.ofNullable(wish.startAt()));
        if (!same) {
            jdbc.sql("update reservation set start_at = :start, victims = :victims where id = :id")
                    .param("start", SqlInstant.ofNullable(wish.startAt()))
                    .param("victims", ids(wish.victims()))
                    .param("id", present.view().id().value())
                    .update();
        }
        return Kept.SAME;
    }

    private void insert(Decision.Reserve wish, Instant at) {
        UUID id = UUID.randomUUID();
        jdbc.sql("""
                        insert into reservation (id, job_id, pool, kind, start_at, created_at, victims)
                        values (:id, :job, :pool, :kind, :start, :at, :victims)
                        """)
                .param("id", id)
                .param("job", wish.job().value())
                .param("pool", wish.pool().value())
                .param("kind", wish.kind().name())
                .param("start", SqlInstant.ofNullable(wish.startAt()))
                .param("at", SqlInstant.of(at))
                .param("victims", ids(wish.victims()))
                .update();
        batches.batchUpdate(
                """
                insert into reservation_place (reservation_id, grp, idx, node, gpus, cpu_millis, memory_bytes)
                values (:id, :grp, :idx, :node, :gpus, :cpu, :memory)
                """,
                wish.placements().stream()
                        .map(p -> new MapSqlParameterSource("id", id)
                                .addValue("grp", p.group())
                                .addValue("idx", p.index())
                                .addValue("node", p.node().value())
                                .addValue("gpus", p.amount().gpus())
                                .addValue("cpu", p.amount().cpuMillis())
                                .addValue("memory", p.amount().memoryBytes()))
                        .toArray(SqlParameterSource[]::new));
    }

    /** Gives up what is kept for a job; false: nothing was. */
    boolean release(JobId job) {
        return jdbc.sql("delete from reservation where job_id = :job")
                        .param("job", job.value())
                        .update()
                > 0;
    }

    /** Its victims are gone: from now on it can be used, until {@code expires}. */
    void free(ReservationId id, Instant since, Instant expires) {
        jdbc.sql("update reservation set free_since = :since, expires_at = :expires where id = :id")
                .param("since", SqlInstant.of(since))
                .param("expires", SqlInstant.of(expires))
                .param("id", id.value())
                .update();
    }

    private static List<ReplicaPlacement> sorted(List<ReplicaPlacement> places) {
        return places.stream().sorted().toList();
    }

    private static Long[] ids(List<JobId> jobs) {
        return jobs.stream().map(JobId::value).toArray(Long[]::new);
    }
}
