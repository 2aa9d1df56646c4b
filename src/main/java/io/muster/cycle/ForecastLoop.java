package io.muster.cycle;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Makes forecasts in a thread of its own, on the leader, while the loop keeps up; the loop never waits for it. */
@Component
@EnableConfigurationProperties(ForecastSettings.class)
class ForecastLoop implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(ForecastLoop.class);
    /** A loop that has not gone through for so long needs the machine for itself. */
    private static final Duration BEHIND = Duration.ofSeconds(5);

    private static final Duration FINISH_WITHIN = Duration.ofSeconds(5);

    private final Forecasting forecasting;
    private final Leadership leadership;
    private final CycleMeters meters;
    private final ForecastSettings settings;
    private final boolean cycles;
    private volatile boolean running;
    private @Nullable Thread thread;
    private long lastEpoch;

    ForecastLoop(
            Forecasting forecasting,
            Leadership leadership,
            CycleMeters meters,
            ForecastSettings settings,
            CycleSettings cycle) {
        this.forecasting = forecasting;
        this.leadership = leadership;
        this.meters = meters;
        this.settings = settings;
        cycles = cycle.enabled();
    }

    @Override
    public void start() {
        running = true;
        if (settings.enabled() && cycles) {
            thread = Thread.ofPlatform()
                    .daemon()
                    .name("forecast")
                    .priority(Thread.MIN_PRIORITY)
                    .start(this::beat);
        }
    }

    private void beat() {
        while (running) {
            try {
                Thread.sleep(settings.every());
                if (isWelcome()) {
                    round();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException | StackOverflowError e) {
                LOG.warn("No forecasts this time; they are made again later", e);
            }
        }
    }

    private void round() {
        long epoch = leadership.believed();
        if (epoch != lastEpoch) {
            forecasting.forget();
            lastEpoch = epoch;
            return; // What was offered may be of the epoch before.
        }
        forecasting.round(new Pace(settings.share(), settings.longest(), this::isWelcome));
    }

    private boolean isWelcome() {
        return running && leadership.leads() && meters.age().compareTo(BEHIND) < 0;
    }

    @Override
    public void stop() {
        running = false;
        var ending = thread;
        if (ending == null) {
            return;
        }
        ending.interrupt();
        try {
            if (!ending.join(FINISH_WITHIN)) {
                LOG.warn("A round of forecasts is still under way");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Stops before the loop, of which it takes. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 150;
    }
}
