package io.muster.time;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/**
 * A clock that stood at {@code domainAt} when the real one stood at {@code realAt}, and runs {@code scale} times as
 * fast. It never shows less than a microsecond's detail, which is what Postgres keeps.
 */
public final class ScaledClock extends Clock {
    private final Clock real;
    private final Instant realAt;
    private final Instant domainAt;
    private final BigDecimal scale;

    public ScaledClock(Clock real, Instant realAt, Instant domainAt, BigDecimal scale) {
        if (scale.signum() <= 0) {
            throw new IllegalArgumentException("a clock cannot stand still or run back: scale " + scale);
        }
        this.real = real;
        this.realAt = realAt;
        this.domainAt = domainAt;
        this.scale = scale;
    }

    @Override
    public Instant instant() {
        Duration passed = Duration.between(realAt, real.instant());
        long micros = BigDecimal.valueOf(passed.toNanos())
                .multiply(scale)
                .movePointLeft(3)
                .setScale(0, RoundingMode.FLOOR)
                .longValueExact();
        return domainAt.plusNanos(Math.multiplyExact(micros % 1_000_000, 1_000L))
                .plusSeconds(micros / 1_000_000);
    }

    @Override
    public ZoneId getZone() {
        return real.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return new ScaledClock(real.withZone(zone), realAt, domainAt, scale);
    }
}
