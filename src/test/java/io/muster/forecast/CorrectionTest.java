package io.muster.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.muster.model.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CorrectionTest {
    private static final Instant MADE = Instant.parse("2026-03-01T10:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);

    private static ScoredForecast after(double hours, boolean started) {
        var at = MADE.plusSeconds(Math.round(hours * 3600));
        return new ScoredForecast(MADE, MADE.plus(HOUR), MADE.plus(HOUR.multipliedBy(2)), at, started);
    }

    /** Waits evenly between nothing and {@code most} hours. */
    private static List<ScoredForecast> waits(int n, double most) {
        var scored = new ArrayList<ScoredForecast>();
        for (int i = 1; i <= n; i++) {
            scored.add(after(most * i / n, true));
        }
        return scored;
    }

    @Test
    void nothingIsCorrectedBeforeAnythingIsKnown() {
        assertThat(Correction.of(List.of())).isEqualTo(Correction.NONE);
    }

    /** Half wait up to 3 hours, nine of ten up to 5.4: 3 times what p50 said, 2.7 times what p90 said. */
    @Test
    void whatWasSaidTooEarlyIsStretched() {
        var learned = Correction.of(waits(5_000, 6));
        assertThat(learned.factor50()).isCloseTo(3, within(0.15));
        assertThat(learned.factor90()).isCloseTo(2.7, within(0.15));
    }

    @Test
    void whatWasSaidTooLateIsShortened() {
        var learned = Correction.of(waits(5_000, 1));
        assertThat(learned.factor50()).isCloseTo(0.5, within(0.05));
    }

    @Test
    void fewScoresChangeLittle() {
        assertThat(Correction.of(waits(3, 20)).factor50()).isBetween(1.0, 1.3);
    }

    @Test
    void factorsStayWithinBounds() {
        var late = Correction.of(waits(100_000, 10_000));
        assertThat(late.factor90()).isBetween(7.5, Correction.MOST);
        var early = Correction.of(waits(100_000, 0.01));
        assertThat(early.factor90()).isBetween(Correction.LEAST, 0.27);
    }

    @Test
    void thoseWhoWaitLongerThanWasSaidCountBeforeTheyStart() {
        var scored = new ArrayList<>(waits(300, 1));
        double before = Correction.of(scored).factor90();
        for (int i = 0; i < 200; i++) {
            scored.add(after(5, false));
            scored.add(after(0.5, false)); // says nothing yet
        }
        assertThat(Correction.of(scored).factor90()).isGreaterThan(before * 1.5);
    }

    @Test
    void correctedForecastsKeepTheirOrder() {
        var raw = new StartForecast(new JobId(1), MADE, MADE.plus(HOUR), MADE.plus(HOUR.multipliedBy(2)), null);
        var told = new Correction(3, 1).apply(raw);
        assertThat(told.p50()).isEqualTo(MADE.plus(HOUR.multipliedBy(3)));
        assertThat(told.p90()).isEqualTo(told.p50());
    }
}
