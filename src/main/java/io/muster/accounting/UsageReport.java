package io.muster.accounting;

import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Sums the book of use by day, for people. */
@Component
public class UsageReport {
    private final JdbcClient jdbc;

    UsageReport(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** What a day of a user in a team and a pool came to; money in millionths. */
    public record Line(
            LocalDate day, TeamId team, UserId user, PoolId pool, long gpuSeconds, long lostGpuSeconds, long micros) {}

    /**
     * Lines from one day to another, both included, oldest first.
     *
     * @param teams only of these, or null: of all
     */
    public List<Line> lines(LocalDate from, LocalDate to, @Nullable Collection<TeamId> teams) {
        return jdbc.sql("""
                select day, team_id, principal_id, pool, gpu_seconds, lost_gpu_seconds, micros from usage_day
                where day between :from and :to and (:teams::uuid[] is null or team_id = any(:teams::uuid[]))
                order by day, team_id, principal_id, pool""")
                .param("from", from)
                .param("to", to)
                .param(
                        "teams",
                        teams == null ? null : teams.stream().map(TeamId::value).toArray(UUID[]::new))
                .query((row, n) -> new Line(
                        row.getObject("day", LocalDate.class),
                        new TeamId(row.getObject("team_id", UUID.class)),
                        new UserId(row.getObject("principal_id", UUID.class)),
                        new PoolId(row.getString("pool")),
                        row.getLong("gpu_seconds"),
                        row.getLong("lost_gpu_seconds"),
                        row.getLong("micros")))
                .list();
    }
}
