package io.muster.job;

import io.muster.database.Columns;
import io.muster.database.SqlInstant;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.TeamId;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** The history of all jobs: rows are only ever added. */
@Component
class EventLog implements JobEvents {
    /** The kind of a change of state. */
    static final String MOVED = "state-changed";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String ADD = """
            insert into job_event (at, job_id, team_id, attempt, kind, from_state, to_state, actor, why, data)
            select :at, w.job, w.team::uuid, w.attempt, :kind, w.from_state, w.to_state, w.actor::uuid, w.why, w.data::jsonb
            from unnest(:jobs::bigint[], :teams::text[], :attempts::integer[], :from::text[], :to::text[],
                    :actors::text[], :whys::text[], :data::text[])
                with ordinality as w (job, team, attempt, from_state, to_state, actor, why, data, nth)
            order by w.nth
            """;

    private final NamedParameterJdbcTemplate jdbc;
    private final EventBell bell;
    private final Clock clock;

    EventLog(NamedParameterJdbcTemplate jdbc, EventBell bell, Clock clock) {
        this.jdbc = jdbc;
        this.bell = bell;
        this.clock = clock;
    }

    @Override
    public void append(JobId job, int attempt, String kind, Cause cause) {
        var row = params(clock.instant(), job, attempt, kind, cause);
        jdbc.update("""
                insert into job_event (at, job_id, team_id, attempt, kind, actor, why, data)
                select :at, id, team_id, :attempt, :kind, :actor, :why, :data::jsonb from job where id = :job
                """, row);
        bell.ring();
    }

    @Override
    public void appendOnce(JobId job, int attempt, String kind, Cause cause) {
        var row = params(clock.instant(), job, attempt, kind, cause);
        jdbc.update("""
                insert into job_event (at, job_id, team_id, attempt, kind, actor, why, data)
                select :at, id, team_id, :attempt, :kind, :actor, :why, :data::jsonb from job j where id = :job
                    and not exists (select from job_event e
                        where e.job_id = j.id and e.kind = :kind and e.why = :why and e.data = :data::jsonb)
                """, row);
        bell.ring();
    }

    /** A job's change of state. */
    record Move(
            JobId job, TeamId team, int attempt, JobState from, JobState to, Cause cause, Map<String, Object> more) {}

    void appendMoves(Instant at, List<Move> moves) {
        jdbc.update(
                ADD,
                Columns.of(moves)
                        .all("at", SqlInstant.of(at))
                        .all("kind", MOVED)
                        .longs("jobs", m -> m.job().value())
                        .texts("teams", m -> m.team().value().toString())
                        .ints("attempts", Move::attempt)
                        .texts("from", m -> m.from().name())
                        .texts("to", m -> m.to().name())
                        .texts("actors", m -> {
                            var actor = actor(m.cause());
                            return actor == null ? null : actor.toString();
                        })
                        .texts("whys", m -> m.cause().why())
                        .texts("data", m -> json(m.cause().data(), m.more()))
                        .params());
        bell.ring();
    }

    private static MapSqlParameterSource params(Instant at, JobId job, int attempt, String kind, Cause cause) {
        return new MapSqlParameterSource()
                .addValue("at", SqlInstant.of(at))
                .addValue("job", job.value())
                .addValue("attempt", attempt)
                .addValue("kind", kind)
                .addValue("actor", actor(cause))
                .addValue("why", cause.why())
                .addValue("data", json(cause.data(), Map.of()));
    }

    private static java.util.@Nullable UUID actor(Cause cause) {
        return cause.actor() == null ? null : cause.actor().value();
    }

    private static String json(Map<String, Object> data, Map<String, Object> more) {
        if (more.isEmpty()) {
            return JSON.writeValueAsString(data);
        }
        var all = new java.util.TreeMap<String, Object>(data);
        more.forEach(all::putIfAbsent);
        return JSON.writeValueAsString(all);
    }
}
