package io.muster.cycle;

import io.muster.database.SqlInstant;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads how shares went over time. */
@Component
public class ShareHistory {
    private final JdbcClient jdbc;

    ShareHistory(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A share as it was at a minute, in GPUs. */
    public record Point(
            Instant at, TeamId team, PoolId pool, int deserved, int entitlement, int allocated, int demand) {}

    /**
     * Points of a pool, oldest first: of every team the same instants, evenly spaced.
     *
     * @param points most instants that are answered; minutes between them are left out
     */
    public List<Point> of(PoolId pool, Instant from, Instant to, int points) {
        return jdbc.sql("""
                with instants as (
                    select at, row_number() over (order by at desc) - 1 as n, count(*) over () as total
                    from (select distinct at from share_history where pool = :pool and at between :from and :to) i
                )
                select h.at, h.team_id, h.deserved, h.entitlement, h.allocated, h.demand
                from share_history h join instants i on i.at = h.at
                where h.pool = :pool and i.n % greatest(1, ceil(i.total / :points::numeric)::bigint) = 0
                order by h.at, h.team_id""")
                .param("pool", pool.value())
                .param("from", SqlInstant.of(from))
                .param("to", SqlInstant.of(to))
                .param("points", points)
                .query((row, n) -> new Point(
                        SqlInstant.read(row, "at"),
                        new TeamId(row.getObject("team_id", UUID.class)),
                        pool,
                        row.getInt("deserved"),
                        row.getInt("entitlement"),
                        row.getInt("allocated"),
                        row.getInt("demand")))
                .list();
    }
}
