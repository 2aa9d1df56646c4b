package io.muster.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class ScaledClockTest {
    private static final Instant REAL = Instant.parse("2026-03-01T12:00:00Z");
    private static final Instant DOMAIN = Instant.parse("2030-01-01T00:00:00Z");

    @Test
    void standsAtItsAnchorWhenRealTimeDoes() {
        assertThat(clock("60", REAL).instant()).isEqualTo(DOMAIN);
    }

    @Test
    void runsAsManyTimesFasterAsItsScale() {
        assertThat(clock("60", REAL.plusSeconds(10)).instant()).isEqualTo(DOMAIN.plusSeconds(600));
        assertThat(clock("0.5", REAL.plusSeconds(10)).instant()).isEqualTo(DOMAIN.plusSeconds(5));
    }

    @Test
    void keepsMicrosecondsAsPostgresDoes() {
        assertThat(clock("1.5", REAL.plusNanos(1_001)).instant()).isEqualTo(DOMAIN.plusNanos(1_000));
    }

    @Test
    void countsBackwardsFromItsAnchorToo() {
        assertThat(clock("10", REAL.minusMillis(1_500)).instant()).isEqualTo(DOMAIN.minusSeconds(15));
    }

    @Test
    void goesOnExactlyAfterYearsAtAHighScale() {
        assertThat(clock("10000", REAL.plus(Duration.ofDays(30))).instant())
                .isEqualTo(DOMAIN.plus(Duration.ofDays(300_000)));
    }

    @Test
    void showsTheSameInstantInAnotherZone() {
        var there = clock("60", REAL.plusSeconds(1)).withZone(ZoneId.of("Asia/Riyadh"));
        assertThat(there.instant()).isEqualTo(DOMAIN.plusSeconds(60));
        assertThat(there.getZone()).isEqualTo(ZoneId.of("Asia/Riyadh"));
    }

    @Test
    void refusesToStandStill() {
        assertThatThrownBy(() -> clock("0", REAL)).isInstanceOf(IllegalArgumentException.class);
    }

    private static ScaledClock clock(String scale, Instant now) {
        return new ScaledClock(Clock.fixed(now, ZoneOffset.UTC), REAL, DOMAIN, new BigDecimal(scale));
    }
}
