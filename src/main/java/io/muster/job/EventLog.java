package io.muster.job;

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
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
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
            values (:at, :job, :team, :attempt, :kind, :from, :to, :actor, :why, :data::jsonb)
            """;

    private final NamedParameterJdbcTemplate jdbc;
    private final Clock clock;

    EventLog(NamedParameterJdbcTemplate jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    @Override
    public void append(JobId job, int attempt, String kind, Cause cause) {
        var row = params(clock.instant(), job, attempt, kind, cause);
        jdbc.update("""
                insert into job_event (at, job_id, team_id, attempt, kind, actor, why, data)
                select :at, id, team_id, :attempt, :kind, :actor, :why, :data::jsonb from job where id = :job
                """, row);
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
    }

    /** A job's change of state. */
    record Move(
            JobId job, TeamId team, int attempt, JobState from, JobState to, Cause cause, Map<String, Object> more) {}

    void appendMoves(Instant at, List<Move> moves) {
        jdbc.batchUpdate(
                ADD,
                moves.stream()
                        .map(m -> params(at, m.job(), m.attempt(), MOVED, m.cause(), m.more())
                                .addValue("team", m.team().value())
                                .addValue("from", m.from().name())
                                .addValue("to", m.to().name()))
                        .toArray(SqlParameterSource[]::new));
    }

    private static MapSqlParameterSource params(Instant at, JobId job, int attempt, String kind, Cause cause) {
        return params(at, job, attempt, kind, cause, Map.of());
    }

    private static MapSqlParameterSource params(
            Instant at, JobId job, int attempt, String kind, Cause cause, Map<String, Object> more) {
        return new MapSqlParameterSource()
                .addValue("at", SqlInstant.of(at))
                .addValue("job", job.value())
                .addValue("attempt", attempt)
                .addValue("kind", kind)
                .addValue("actor", actor(cause))
                .addValue("why", cause.why())
                .addValue("data", json(cause.data(), more));
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
