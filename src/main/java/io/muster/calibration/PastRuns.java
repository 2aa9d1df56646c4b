package io.muster.calibration;

import io.muster.database.SqlInstant;
import io.muster.forecast.LearnedRunTimes;
import io.muster.model.JobId;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.scheduling.ordering.RunTimeHistory;
import io.muster.scheduling.snapshot.RunningJob;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** How long jobs ran. */
@Component
public class PastRuns {
    private static final Duration WITHIN = Duration.ofDays(30);
    private static final int MOST = 20_000;

    private final JdbcClient jdbc;

    PastRuns(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** What jobs that ended lately, and those that run, tell of how long jobs run. */
    public RunTimeHistory history(Instant now, List<RunningJob> running, Map<JobId, Duration> ranBefore) {
        var history = new RunTimeHistory();
        jdbc.sql("""
                        select gpus, team_id, submitted_by, ran_seconds from job
                        where ended_at >= :since and ran_seconds > 0 order by ended_at desc, id desc limit :most
                        """)
                .param("since", SqlInstant.of(now.minus(WITHIN)))
                .param("most", MOST)
                .query(row -> {
                    history.ended(
                            RunTimeHistory.kinds(
                                    row.getInt("gpus"),
                                    new TeamId(row.getObject("team_id", UUID.class)),
                                    new UserId(row.getObject("submitted_by", UUID.class))),
                            Duration.ofSeconds(row.getLong("ran_seconds")));
                });
        for (var job : running) {
            var since = job.runningSince();
            if (since != null && since.isBefore(now)) {
                history.stillRuns(
                        LearnedRunTimes.kinds(job.facts()),
                        ranBefore.getOrDefault(job.id(), Duration.ZERO).plus(Duration.between(since, now)));
            }
        }
        return history;
    }

    /** How long earlier attempts of jobs that are not over ran; those that ran not at all are left out. */
    public Map<JobId, Duration> ranBefore() {
        var ran = new HashMap<JobId, Duration>();
        jdbc.sql("""
                        select id, ran_seconds from job
                        where state not in ('SUCCEEDED', 'FAILED', 'CANCELLED') and ran_seconds > 0
                        """).query(row -> {
            ran.put(new JobId(row.getLong("id")), Duration.ofSeconds(row.getLong("ran_seconds")));
        });
        return ran;
    }
}
