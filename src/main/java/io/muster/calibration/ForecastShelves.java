package io.muster.calibration;

import io.muster.retention.DatedRows;
import java.time.Clock;
import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Forecasts go soon; how they came out stays to be looked at. */
final class ForecastShelves {
    private ForecastShelves() {}

    @Component
    static final class Forecasts extends DatedRows {
        Forecasts(JdbcClient jdbc, Clock clock) {
            super(jdbc, clock, "forecasts", Duration.ofDays(30), """
                    delete from start_forecast where ctid = any(array(
                        select ctid from start_forecast where made_at < :before order by made_at limit :most))
                    """);
        }
    }

    @Component
    static final class Scores extends DatedRows {
        Scores(JdbcClient jdbc, Clock clock) {
            super(jdbc, clock, "forecast-scores", Duration.ofDays(400), """
                    delete from forecast_score where ctid = any(array(
                        select ctid from forecast_score where started_at < :before order by started_at limit :most))
                    """);
        }
    }
}
