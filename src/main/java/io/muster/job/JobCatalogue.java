package io.muster.job;

import io.muster.database.SqlInstant;
import io.muster.model.JobId;
import io.muster.model.ReplicaId;
import io.muster.model.TeamId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds and lists jobs. A list is driven by the index that serves its order: that of the owner, of each team, of each
 * state, or of ids alone; whatever else is asked filters on the way.
 */
@Service
public class JobCatalogue {
    public static final int MOST = 500;

    private static final Logger LOG = LoggerFactory.getLogger(JobCatalogue.class);
    private static final int MOST_BRANCHES = 64;
    private static final String WAITS = """
            select j.id, j.gpus, x.place, coalesce(x.body -> 'reasons' -> 0 ->> 'pool', d.document -> 'filled' ->> 'pool') as pool
            from job j
            join job_document d on d.job_id = j.id and d.revision = j.revision
            left join explanation x on x.job_id = j.id
            where j.state = 'QUEUED'
            """;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final JdbcClient jdbc;

    JobCatalogue(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * One page.
     *
     * @param after id of the last job of the page before, or null: the first page
     * @param limit at most {@value #MOST}
     */
    public List<JobRow> list(JobFilter filter, @Nullable JobId after, int limit) {
        Map<String, Object> params = new HashMap<>();
        Driver driver = Driver.of(filter);
        String where = where(filter, driver, params);
        if (after != null) {
            where += filter.oldestFirst() ? " and j.id > :after" : " and j.id < :after";
            params.put("after", after.value());
        }
        String order = filter.oldestFirst() ? " order by id" : " order by id desc";
        params.put("limit", Math.clamp(limit, 1, MOST));
        String page = page(filter, driver, where, order);
        return jdbc.sql(JobRowMapper.select("(" + page + ")") + order)
                .params(params)
                .query(JobRowMapper::row)
                .list();
    }

    public Optional<JobRow> row(JobId id) {
        return rows(List.of(id)).stream().findFirst();
    }

    /** Those that exist of many, by id. */
    public List<JobRow> rows(Collection<JobId> ids) {
        return jdbc.sql(JobRowMapper.select("(select * from job where id = any(:ids))") + " order by id")
                .param("ids", ids.stream().map(JobId::value).toArray(Long[]::new))
                .query(JobRowMapper::row)
                .list();
    }

    /** What waits in each pool, in order: place, then id; at most {@code most} of each pool. */
    public List<Waiting> waiting(int most) {
        return jdbc.sql("""
                        with w as (
                            select id, pool, row_number() over (
                                partition by pool order by coalesce(nullif(place, 0), 2147483647), id) as turn
                            from (%s) waits
                        )
                        select q.*, w.pool as wait_pool from w join (%s) q using (id)
                        where w.turn <= :most order by w.pool nulls last, w.turn
                        """.formatted(WAITS, JobRowMapper.select("(select * from job where state = 'QUEUED')")))
                .param("most", most)
                .query((row, n) -> new Waiting(row.getString("wait_pool"), JobRowMapper.row(row, n)))
                .list();
    }

    /** How much waits in each pool; {@code any}: where no cycle has said yet. */
    public Map<String, Depth> depths() {
        Map<String, Depth> depths = new HashMap<>();
        jdbc.sql("select coalesce(pool, 'any') as pool, count(*) as jobs, sum(gpus) as gpus from (" + WAITS
                        + ") waits group by 1")
                .query(row -> {
                    depths.put(row.getString("pool"), new Depth(row.getInt("jobs"), row.getLong("gpus")));
                });
        return depths;
    }

    public record Depth(int jobs, long gpus) {}

    /** A waiting job; {@code pool} null: any, and no cycle has seen it yet. */
    public record Waiting(@Nullable String pool, JobRow job) {}

    public Optional<StoredJob> find(JobId id) {
        return jdbc.sql("""
                        select q.*, coalesce(d.document, 'null') as document, j.resume_path, j.resume_step, j.failure, j.failure_message, j.hold_why,
                               cardinality(j.preempted_at) as preemptions, a.exit_code, a.first_failing,
                               (select c.at from checkpoint c where c.job_id = j.id and c.step = j.resume_step
                                order by c.id desc limit 1) as resume_at
                        from (%s) q
                        join job j on j.id = q.id
                        left join job_document d on d.job_id = j.id and d.revision = j.revision
                        left join attempt a on a.job_id = j.id and a.number = j.attempt
                        """.formatted(JobRowMapper.select("(select * from job where id = :id)")))
                .param("id", id.value())
                .query((row, n) -> stored(JobRowMapper.row(row, n), row))
                .optional();
    }

    private static StoredJob stored(JobRow job, ResultSet row) throws SQLException {
        String stored = row.getString("document");
        String holdWhy = row.getString("hold_why");
        int preemptions = row.getInt("preemptions");
        try {
            JobDocument document = JobDocumentCodec.fromJson(stored);
            ObjectNode written = JobDocumentCodec.written(stored);
            return StoredJob.of(job, document, written, resume(row), failure(row), holdWhy, preemptions);
        } catch (RuntimeException e) {
            LOG.debug("The document of job {} cannot be read", job.id(), e);
            return StoredJob.unreadable(job, resume(row), failure(row), holdWhy, preemptions);
        }
    }

    private static StoredJob.@Nullable Resume resume(ResultSet row) throws SQLException {
        String path = row.getString("resume_path");
        Instant at = SqlInstant.readNullable(row, "resume_at");
        return path == null
                ? null
                : new StoredJob.Resume(
                        path, row.getLong("resume_step"), at == null ? SqlInstant.read(row, "waiting_since") : at);
    }

    private static StoredJob.@Nullable Failure failure(ResultSet row) throws SQLException {
        String failure = row.getString("failure");
        String replica = row.getString("first_failing");
        return failure == null
                ? null
                : new StoredJob.Failure(
                        JobHistory.failure(failure),
                        row.getObject("exit_code", Integer.class),
                        row.getString("failure_message"),
                        replica == null ? null : ReplicaId.nameOf(replica));
    }

    /**
     * Each branch names its team or state as a literal (both are ours, no text of a user's): the planner then knows how
     * rare it is, and does not walk all ids to find none.
     */
    private static String page(JobFilter filter, Driver driver, String where, String order) {
        String rest = " and" + where + order + " limit :limit)";
        List<String> branches = switch (driver) {
            case ROWS -> List.of("(select j.* from job j where true" + rest);
            case TEAMS ->
                Objects.requireNonNull(filter.teams()).stream()
                        .sorted()
                        .map(team -> "(select j.* from job j where j.team_id = '" + team.value() + "'" + rest)
                        .toList();
            case STATES ->
                filter.states().stream()
                        .sorted()
                        .map(state -> "(select j.* from job j where j.state = '" + state.name() + "'" + rest)
                        .toList();
        };
        return "select b.* from (" + String.join(" union all ", branches) + ") b" + order + " limit :limit";
    }

    /** The index that serves the order: of ids or an owner's, of each team, of each state. */
    private enum Driver {
        ROWS,
        TEAMS,
        STATES;

        static Driver of(JobFilter filter) {
            if (filter.owner() != null) {
                return ROWS;
            }
            if (filter.teams() != null && filter.teams().size() <= MOST_BRANCHES) {
                return TEAMS;
            }
            return filter.states().isEmpty() ? ROWS : STATES;
        }
    }

    /** What a filter asks of {@code job j}; its parameters are put into {@code params}. */
    static String where(JobFilter filter, Map<String, Object> params) {
        return where(filter, Driver.ROWS, params);
    }

    private static String where(JobFilter filter, Driver driver, Map<String, Object> params) {
        List<String> all = new ArrayList<>(List.of(" true"));
        if (filter.owner() != null) {
            all.add("j.submitted_by = :owner");
            params.put("owner", filter.owner().value());
        }
        if (filter.teams() != null && driver != Driver.TEAMS) {
            all.add("j.team_id = any(:teams)");
            params.put("teams", uuids(filter.teams()));
        }
        if (filter.within() != null) {
            all.add("j.team_id = any(:within)");
            params.put("within", uuids(filter.within()));
        }
        if (!filter.states().isEmpty() && driver != Driver.STATES) {
            all.add("j.state = any(:states)");
            params.put("states", states(filter));
        }
        if (filter.priority() != null) {
            all.add("j.priority_class = :priority");
            params.put("priority", filter.priority());
        }
        if (filter.pool() != null) {
            all.add("j.pool = :pool");
            params.put("pool", filter.pool().value());
        }
        if (filter.text() != null) {
            // Names are ASCII, so bytes are compared, which is several times quicker.
            all.add("(strpos(lower(j.name collate \"C\"), :text) > 0 or j.id = :number)");
            params.put("text", filter.text().toLowerCase(Locale.ROOT));
            params.put("number", filter.text().matches("[0-9]{1,18}") ? Long.parseLong(filter.text()) : -1L);
        }
        if (!filter.labels().isEmpty()) {
            // As the index says it.
            all.add("j.labels <> '{}'::jsonb and j.labels @> :labels::jsonb");
            params.put("labels", JSON.writeValueAsString(filter.labels()));
        }
        return String.join(" and ", all);
    }

    private static String[] states(JobFilter filter) {
        return filter.states().stream().map(Enum::name).sorted().toArray(String[]::new);
    }

    private static UUID[] uuids(Set<TeamId> teams) {
        return teams.stream().sorted().map(TeamId::value).toArray(UUID[]::new);
    }
}
