package io.muster.web.live;

import io.muster.database.Sight;
import io.muster.security.Caller;
import io.muster.security.Callers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Looks every few seconds whether those who listen still may, and what: another server may have signed them out, revoked
 * their token or taken their role. Whoever may nothing is let go; whoever may less (or more) hears that from then on.
 */
@Component
class Doorkeeper implements SmartLifecycle {
    /** Well within the 15 s in which a change is to reach every stream, even when one look fails. */
    static final Duration EVERY = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(Doorkeeper.class);

    private final LiveStreams streams;
    private final Callers callers;
    private @Nullable ScheduledExecutorService rounds;

    Doorkeeper(LiveStreams streams, Callers callers) {
        this.streams = streams;
        this.callers = callers;
    }

    private void round() {
        try {
            look();
        } catch (RuntimeException e) {
            LOG.info("Who still may listen could not be read; trying again: {}", e.toString());
        }
    }

    void look() {
        List<LiveStream> open = streams.open();
        if (open.isEmpty()) {
            return;
        }
        Map<Caller, Caller> now;
        try (var sight = Sight.steady()) {
            now = callers.again(open.stream().map(LiveStream::caller).toList());
        }
        for (LiveStream stream : open) {
            Caller caller = now.get(stream.caller());
            if (caller == null) {
                stream.close();
            } else {
                stream.become(caller);
            }
        }
    }

    @Override
    public void start() {
        rounds = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("doorkeeper").factory());
        rounds.scheduleWithFixedDelay(this::round, EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void stop() {
        if (rounds != null) {
            rounds.shutdown();
            rounds = null;
        }
    }

    @Override
    public boolean isRunning() {
        return rounds != null;
    }
}
