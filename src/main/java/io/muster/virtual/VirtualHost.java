package io.muster.virtual;

import io.muster.virtual.HostLease.Held;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.context.SmartLifecycle;

/** Looks, several times a second, for what has happened on the virtual cluster, while it holds the lease. */
final class VirtualHost implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(VirtualHost.class);
    private static final Duration FORGET_ATTEMPT_AFTER = Duration.ofHours(1);
    private static final Duration FORGET_IMAGE_AFTER = Duration.ofDays(7);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);

    private final HostLease lease;
    private final Teller teller;
    private final NodeWeather weather;
    private final ToldRows told;
    private final HostPulse pulse;
    private final Clock clock;
    private final VirtualProperties properties;
    private @Nullable ScheduledThreadPoolExecutor thread;
    private boolean behind = true;
    private boolean failing;
    private long listedNanos;

    VirtualHost(
            HostLease lease,
            Teller teller,
            NodeWeather weather,
            ToldRows told,
            HostPulse pulse,
            Clock clock,
            VirtualProperties properties) {
        this.lease = lease;
        this.teller = teller;
        this.weather = weather;
        this.told = told;
        this.pulse = pulse;
        this.clock = clock;
        this.properties = properties;
    }

    /** One look. Never throws: what could not be done or told is still there at the next. */
    void look() {
        try {
            Held held = lease.hold();
            Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
            pulse.looked(now, held != Held.NO);
            if (held == Held.NO) {
                behind = true;
                return;
            }
            if (held == Held.NEWLY || behind) {
                behind = true;
                teller.tellAll(now);
                behind = false;
                listedNanos = System.nanoTime() - properties.relist().toNanos();
            }
            tell(now);
            failing = false;
        } catch (RuntimeException e) {
            pulse.failed("looking at the virtual cluster failed: " + e.getMessage());
            // Several times a second: the first says it all.
            LOG.atLevel(failing ? Level.DEBUG : Level.WARN)
                    .setCause(e)
                    .log("looking at the virtual cluster failed, will try again until it works");
            failing = true;
        }
    }

    private void tell(Instant now) {
        weather.pass(now);
        teller.tellNodes(now);
        teller.tellAttempts(now);
        if (System.nanoTime() - listedNanos >= properties.relist().toNanos()) {
            teller.tellList(now);
            told.forgetBefore(now.minus(FORGET_ATTEMPT_AFTER), now.minus(FORGET_IMAGE_AFTER));
            listedNanos = System.nanoTime();
        }
    }

    @Override
    public synchronized void start() {
        if (thread == null) {
            thread = new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().name("virtual-cluster").daemon().factory());
            thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
            thread.scheduleWithFixedDelay(this::look, 0, properties.poll().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public synchronized void stop() {
        if (thread == null) {
            return;
        }
        thread.shutdown();
        try {
            if (thread.awaitTermination(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                lease.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.info("the lease of the virtual cluster was not given back, it will run out: {}", e.getMessage());
        }
        thread = null;
    }

    @Override
    public synchronized boolean isRunning() {
        return thread != null;
    }
}
