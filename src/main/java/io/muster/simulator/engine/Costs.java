package io.muster.simulator.engine;

import java.time.Duration;

/**
 * What starting and stopping takes; GPUs are held meanwhile and nothing is learnt.
 *
 * @param start before the first attempt works
 * @param restart before each later attempt works (once more pulling, loading and warming up)
 * @param save from the request to a saved checkpoint
 * @param stop from there until its GPUs are free
 */
public record Costs(Duration start, Duration restart, Duration save, Duration stop) {
    /** A minute for each restart, as in the published comparisons. */
    public static final Costs SHIPPED = new Costs(Duration.ZERO, Duration.ofMinutes(1), Duration.ZERO, Duration.ZERO);

    public Costs withRestart(Duration value) {
        return new Costs(start, value, save, stop);
    }

    /** True when a victim's GPUs are free in the instant in which it is asked to leave. */
    public boolean leavesAtOnce() {
        return save.isZero() && stop.isZero();
    }
}
