package io.muster.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.support.Database;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClockAnchorTest {
    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private final Database database = Database.fresh();
    private final SetClock real = new SetClock(START);

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void scaleOneIsTheRealClockAndLeavesNoTrace() {
        assertThat(clock("1")).isSameAs(real);
        assertThat(database.jdbc()
                        .sql("select count(*) from domain_clock")
                        .query(Long.class)
                        .single())
                .isZero();
    }

    @Test
    void scaledTimeStartsAtRealTime() {
        assertThat(clock("60").instant()).isEqualTo(START);
    }

    @Test
    void aRestartGoesOnWhereScaledTimeStandsByThen() {
        var before = clock("60");
        real.pass(Duration.ofSeconds(10));
        assertThat(clock("60").instant()).isEqualTo(before.instant()).isEqualTo(START.plusSeconds(600));
    }

    @Test
    void anotherScaleGoesOnFromWhereTheLastOneStands() {
        clock("60");
        real.pass(Duration.ofSeconds(10));
        var slower = clock("2");
        assertThat(slower.instant()).isEqualTo(START.plusSeconds(600));
        real.pass(Duration.ofSeconds(10));
        assertThat(slower.instant()).isEqualTo(START.plusSeconds(620));
    }

    @Test
    void goingBackToScaleOneDoesNotTurnTimeBack() {
        clock("60");
        real.pass(Duration.ofSeconds(10));
        var normal = clock("1");
        real.pass(Duration.ofSeconds(1));
        assertThat(normal.instant()).isEqualTo(START.plusSeconds(601));
    }

    @Test
    void twoServersAgree() {
        var one = clock("60");
        real.pass(Duration.ofMillis(1_234));
        var other = clock("60");
        real.pass(Duration.ofMillis(777));
        assertThat(one.instant()).isEqualTo(other.instant());
    }

    private Clock clock(String scale) {
        return new ClockAnchor(database.jdbc(), real).clock(new BigDecimal(scale));
    }

    /** Real time as the test has it. */
    private static final class SetClock extends Clock {
        private Instant now;

        SetClock(Instant now) {
            this.now = now;
        }

        void pass(Duration time) {
            now = now.plus(time);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
