package io.muster.calibration;

import io.muster.database.SqlInstant;
import io.muster.forecast.Forecaster;
import io.muster.forecast.ScoredForecast;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Scores forecasts when jobs start. */
@Component
public class ForecastScores {
    /** The correction is learned from so many of the newest scores, none older than this. */
    private static final int LEARNED_FROM = 300;

    private static final Duration LEARNED_WITHIN = Duration.ofDays(14);
    /** A start is committed a little after the instant that it bears. */
    private static final Duration LOOK_BACK = Duration.ofMinutes(5);

    /** The first forecast after the job began to wait: at its submission, or at the end of the attempt before. */
    private static final String SCORE = """
            insert into forecast_score (job_id, attempt, team_id, pool, model, made_at, raw_p50, raw_p90, p50, p90,
                started_at)
            select a.job_id, a.number, j.team_id, a.pool, f.model, f.made_at, f.raw_p50, f.raw_p90, f.p50, f.p90,
                a.placed_at
            from attempt a
            join job j on j.id = a.job_id
            left join attempt b on b.job_id = a.job_id and b.number = a.number - 1
            join lateral (
                select * from start_forecast s
                where s.job_id = a.job_id and s.made_at < a.placed_at
                    and s.made_at >= coalesce(b.ended_at, j.submitted_at)
                    and s.p50 is not null and s.raw_p50 is not null
                order by s.made_at limit 1) f on true
            where a.placed_at >= :since
            on conflict do nothing
            """;

    private static final String WAITING = """
            select distinct on (s.job_id) s.made_at, s.raw_p50, s.raw_p90
            from start_forecast s join job j on j.id = s.job_id
            where j.state = 'QUEUED' and s.model = :model and s.raw_p50 is not null and s.made_at >= j.waiting_since
            order by s.job_id, s.made_at limit :most
            """;

    private final JdbcClient jdbc;

    ForecastScores(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Scores what has started since {@code since}; a start is scored once. Returns how many were new. */
    public int score(Instant since) {
        return jdbc.sql(SCORE)
                .param("since", SqlInstant.of(since.minus(LOOK_BACK)))
                .update();
    }

    /** What the correction is learned from: the newest scores, and the waits that go on. */
    public List<ScoredForecast> recent(Instant now) {
        var recent = new ArrayList<>(jdbc.sql("""
                        select made_at, raw_p50, raw_p90, started_at from forecast_score
                        where model = :model and started_at >= :since order by started_at desc limit :most
                        """)
                .param("model", Forecaster.MODEL)
                .param("since", SqlInstant.of(now.minus(LEARNED_WITHIN)))
                .param("most", LEARNED_FROM)
                .query((row, n) -> scored(row, SqlInstant.read(row, "started_at"), true))
                .list());
        recent.addAll(jdbc.sql(WAITING)
                .param("model", Forecaster.MODEL)
                .param("most", LEARNED_FROM)
                .query((row, n) -> scored(row, now, false))
                .list());
        return recent;
    }

    private static ScoredForecast scored(ResultSet row, Instant at, boolean started) throws SQLException {
        return new ScoredForecast(
                SqlInstant.read(row, "made_at"),
                SqlInstant.readNullable(row, "raw_p50"),
                SqlInstant.readNullable(row, "raw_p90"),
                at,
                started);
    }
}
