package io.muster.support;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that a test moves by hand. */
public final class HandClock extends Clock {
    private final AtomicReference<Instant> now;

    public HandClock(Instant start) {
        now = new AtomicReference<>(start);
    }

    public void pass(Duration time) {
        now.updateAndGet(at -> at.plus(time));
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("UTC only");
    }
}
