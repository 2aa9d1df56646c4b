package io.muster.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.muster.calibration.Calibrations;
import io.muster.job.Feasibility;
import io.muster.model.AttemptId;
import io.muster.model.Explanation;
import io.muster.model.JobId;
import io.muster.support.Ground;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

class ForecastStoryTest extends LoopFixture {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Autowired
    Forecasting forecasting;

    @Autowired
    Calibrations calibrations;

    @Autowired
    Feasibility feasibility;

    private JobId waits;
    private AttemptId first;

    /** Four nodes, each held for an hour at most, and one job that waits. */
    @BeforeEach
    void fullHouse() {
        jdbc.sql("delete from start_forecast").update();
        jdbc.sql("delete from forecast_score").update();
        forecasting.forget();
        for (int n = 1; n <= 4; n++) {
            var attempt = run(submit(Ground.lasting(Ground.document("vision", 1, 8), HOUR)), "n" + n);
            first = n == 1 ? attempt : first;
        }
        waits = submit(Ground.lasting(Ground.document("vision", 1, 8), HOUR));
        cycle.run();
    }

    private boolean round() {
        return forecasting.round(() -> true);
    }

    @Test
    void whoWaitsIsToldWhenToExpectItsStart() {
        Instant now = clock.instant();
        assertThat(round()).isTrue();

        Explanation told = feasibility.explain(waits).orElseThrow();
        assertThat(told.startBy()).isEqualTo(Explanation.StartBy.FORECAST);
        assertThat(told.expectedStart()).isBetween(now, now.plus(HOUR));
        assertThat(told.latestStart()).isBetween(told.expectedStart(), now.plus(HOUR));
    }

    @Test
    void listsTellTheSameAsTheJobItself() {
        assertThat(round()).isTrue();
        clock.pass(Duration.ofSeconds(1));
        cycle.run();

        Explanation told = feasibility.explain(waits).orElseThrow();
        String listed = jdbc.sql("select body ->> 'expectedStart' from explanation where job_id = " + waits)
                .query(String.class)
                .single();
        assertThat(Instant.parse(listed)).isCloseTo(told.expectedStart(), within(1, ChronoUnit.MILLIS));
    }

    @Test
    void anotherRoundWritesOnlyWhatIsNew() {
        round();
        cycle.run();
        round();
        assertThat(count("select count(*) from start_forecast where job_id = " + waits))
                .isOne();
    }

    @Test
    void nothingIsMadeTwiceOfOneLook() {
        assertThat(round()).isTrue();
        assertThat(round()).isFalse();
    }

    @Test
    void aStartIsScoredByTheFirstForecastOfItsWait() {
        Instant asked = clock.instant();
        round();
        // A later forecast, which must not count.
        jdbc.sql("insert into start_forecast (job_id, made_at, model, raw_p50, raw_p90, p50, p90)"
                        + " select job_id, made_at + interval '1 second', model, 'epoch', 'epoch', 'epoch', 'epoch'"
                        + " from start_forecast where job_id = " + waits)
                .update();
        clock.pass(MINUTE);
        gone(first);
        start(waits, "n1");
        clock.pass(MINUTE);
        cycle.run();
        round();

        assertThat(count("select count(*) from forecast_score where job_id = " + waits
                        + " and started_at <= p90 and attempt = 1"))
                .isOne();
        var all = calibrations.total(asked, asked.plus(HOUR), null, null);
        assertThat(all.starts()).isOne();
        assertThat(all.insideP90()).isOne();
        assertThat(all.meanWaitSeconds()).isEqualTo(60);
        assertThat(calibrations.rows(asked, asked.plus(HOUR), Ground.POOL, team))
                .singleElement()
                .satisfies(row -> assertThat(row.calibration()).isEqualTo(all));
        assertThat(calibrations.rows(asked, asked.plus(HOUR), null, team)).hasSize(1);
    }

    @Test
    void aRoundThatIsNotWelcomeTellsNothing() {
        assertThat(forecasting.round(() -> false)).isFalse();
        assertThat(count("select count(*) from start_forecast")).isZero();
    }
}
