package io.muster.calibration;

import io.muster.database.SqlInstant;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** How honest forecasts were: of the starts that had been forecast, how many came when they were said to. */
@Component
public class Calibrations {
    private static final String SHARES = """
            count(*) as starts, count(*) filter (where started_at <= p50) as inside50,
            count(*) filter (where started_at <= p90) as inside90,
            coalesce(percentile_cont(0.5) within group (
                order by abs(extract(epoch from started_at - p50))), 0) as median_error,
            coalesce(avg(extract(epoch from started_at - made_at)), 0) as mean_wait
            from forecast_score""";

    private final JdbcClient jdbc;

    Calibrations(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * How forecasts came out.
     *
     * @param starts starts that had been forecast
     * @param insideP50 how many of them came by p50; half of them is right
     * @param insideP90 how many came by p90; nine of ten is right. What had no p90 is not inside
     * @param medianErrorSeconds half of all starts were nearer to p50 than this, before or after
     * @param meanWaitSeconds from the forecast to the start, on average
     */
    public record Calibration(
            int starts, int insideP50, int insideP90, double medianErrorSeconds, double meanWaitSeconds) {}

    /** Of one UTC day, pool and team. */
    public record Row(LocalDate day, PoolId pool, TeamId team, Calibration calibration) {}

    /** Of all starts in {@code [from, to)}. */
    public Calibration total(Instant from, Instant to, @Nullable PoolId pool, @Nullable TeamId team) {
        return jdbc.sql("select " + SHARES + """
                         where started_at >= :from and started_at < :to
                            and (:pool::text is null or pool = :pool) and (:team::uuid is null or team_id = :team)
                        """)
                .param("from", SqlInstant.of(from))
                .param("to", SqlInstant.of(to))
                .param("pool", pool == null ? null : pool.value())
                .param("team", team == null ? null : team.value())
                .query((row, n) -> read(row))
                .single();
    }

    /** By day, pool and team, the newest day first. */
    public List<Row> rows(Instant from, Instant to, @Nullable PoolId pool, @Nullable TeamId team) {
        return jdbc.sql("select (started_at at time zone 'UTC')::date as day, pool, team_id, " + SHARES + """
                         where started_at >= :from and started_at < :to
                            and (:pool::text is null or pool = :pool) and (:team::uuid is null or team_id = :team)
                        group by 1, 2, 3 order by 1 desc, 2, 3
                        """)
                .param("from", SqlInstant.of(from))
                .param("to", SqlInstant.of(to))
                .param("pool", pool == null ? null : pool.value())
                .param("team", team == null ? null : team.value())
                .query((row, n) -> new Row(
                        row.getObject("day", LocalDate.class),
                        new PoolId(row.getString("pool")),
                        new TeamId(row.getObject("team_id", UUID.class)),
                        read(row)))
                .list();
    }

    private static Calibration read(ResultSet row) throws SQLException {
        return new Calibration(
                row.getInt("starts"),
                row.getInt("inside50"),
                row.getInt("inside90"),
                row.getDouble("median_error"),
                row.getDouble("mean_wait"));
    }
}
