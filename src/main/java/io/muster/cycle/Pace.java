package io.muster.cycle;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Keeps the thread that asks it to a share of one core, by letting it sleep, and says when its computing time is used up.
 */
final class Pace implements BooleanSupplier {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    /** Shorter rests are saved up. */
    private static final long SHORTEST_REST = TimeUnit.MILLISECONDS.toNanos(5);

    private final double share;
    private final long most;
    private final BooleanSupplier welcome;
    private final long began = System.nanoTime();
    private final long worked = THREADS.getCurrentThreadCpuTime();

    /**
     * Begins now.
     *
     * @param most computing time
     * @param welcome false: stop at once
     */
    Pace(double share, Duration most, BooleanSupplier welcome) {
        this.share = share;
        this.most = most.toNanos();
        this.welcome = welcome;
    }

    @Override
    public boolean getAsBoolean() {
        long work = THREADS.getCurrentThreadCpuTime() - worked;
        if (work > most || !welcome.getAsBoolean()) {
            return false;
        }
        long owed = (long) (work / share) - (System.nanoTime() - began);
        if (owed < SHORTEST_REST) {
            return true;
        }
        try {
            TimeUnit.NANOSECONDS.sleep(owed);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
