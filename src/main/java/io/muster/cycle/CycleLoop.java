package io.muster.cycle;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** The loop's one thread: never two cycles at once in one server, and never an end but the server's own. */
@Component
class CycleLoop implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(CycleLoop.class);
    /** One that does not lead asks so often whether it may: to ask is one statement. */
    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    private static final Duration FINISH_WITHIN = Duration.ofSeconds(10);

    private final Cycle cycle;
    private final WakeUps wakeUps;
    private final Leadership leadership;
    private final CycleSettings settings;
    private volatile boolean running;
    private @Nullable Thread thread;

    CycleLoop(Cycle cycle, WakeUps wakeUps, Leadership leadership, CycleSettings settings) {
        this.cycle = cycle;
        this.wakeUps = wakeUps;
        this.leadership = leadership;
        this.settings = settings;
    }

    @Override
    public void start() {
        running = true;
        if (settings.enabled()) {
            // A platform thread: planning is pure computation, and would keep a carrier from everybody else.
            thread = Thread.ofPlatform().name("cycle").start(this::beat);
        }
    }

    private void beat() {
        while (running) {
            try {
                long before = System.nanoTime();
                Cycle.Outcome outcome = cycle.run();
                rest(Duration.ofNanos(System.nanoTime() - before));
                wakeUps.await(outcome == Cycle.Outcome.NOT_LEADING ? ASK_AGAIN : settings.watchdog());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (Throwable e) {
                // Out of memory, a class that cannot be loaded: the loop is the last thing to give up.
                LOG.error("The loop goes on after", e);
            }
        }
    }

    /** Half of the time, at most, goes into cycles, however much happens. */
    private void rest(Duration took) throws InterruptedException {
        Duration least = settings.minSpacing();
        Thread.sleep(took.compareTo(least) > 0 ? took : least);
    }

    @Override
    public void stop() {
        running = false;
        wakeUps.wake();
        try {
            if (thread == null || thread.join(FINISH_WITHIN)) {
                leadership.giveUp();
            } else {
                LOG.warn("A cycle is still under way; the epoch runs out by itself");
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("The epoch could not be given up; it runs out by itself", e);
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Stops after the workers of the outbox, which need the epoch to the last. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 200;
    }
}
