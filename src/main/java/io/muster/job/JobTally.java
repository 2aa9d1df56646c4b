package io.muster.job;

import io.muster.model.JobState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** Counts the jobs of a filter by what they have in common. */
@Service
public class JobTally {
    private static final int MOST = 200;

    private final JdbcClient jdbc;

    JobTally(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** What jobs may have in common; a user is a team's own affair, so a tally by users needs {@code within}. */
    public enum By {
        TEAM("j.team_id"),
        STATE("j.state"),
        USER("j.submitted_by"),
        PRIORITY("j.priority_class");

        private final String column;

        By(String column) {
            this.column = column;
        }
    }

    /**
     * Jobs with something in common.
     *
     * @param key the id of a team or a user, or the name of a state or a class
     * @param gpusInUse of those that start, run or stop
     * @param gpusWanted of those that wait
     */
    public record Group(String key, int jobs, int waiting, int active, long gpusInUse, long gpusWanted) {}

    /** Most jobs first, then by key; at most {@value #MOST}. */
    public List<Group> of(JobFilter filter, By by) {
        Map<String, Object> params = new HashMap<>();
        String where = JobCatalogue.where(filter, params);
        return jdbc.sql("""
                        select %1$s::text as key, count(*) as jobs,
                               count(*) filter (where %2$s) as waiting, count(*) filter (where %3$s) as active,
                               coalesce(sum(coalesce(
                                   (select nullif(a.gpus, 0) from attempt a
                                    where a.job_id = j.id and a.number = j.attempt), j.gpus))
                                   filter (where %3$s), 0) as in_use,
                               coalesce(sum(j.gpus) filter (where %2$s), 0) as wanted
                        from job j where %4$s group by 1 order by jobs desc, key limit %5$d
                        """.formatted(
                                by.column,
                                in(state -> state == JobState.QUEUED || state == JobState.HELD),
                                in(JobState::isActive),
                                where,
                                MOST))
                .params(params)
                .query((row, n) -> new Group(
                        row.getString("key"),
                        row.getInt("jobs"),
                        row.getInt("waiting"),
                        row.getInt("active"),
                        row.getLong("in_use"),
                        row.getLong("wanted")))
                .list();
    }

    private static String in(Predicate<JobState> which) {
        return Arrays.stream(JobState.values())
                .filter(which)
                .map(state -> "'" + state.name() + "'")
                .collect(Collectors.joining(", ", "j.state in (", ")"));
    }
}
