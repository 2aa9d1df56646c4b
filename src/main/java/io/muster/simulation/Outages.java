package io.muster.simulation;

import io.muster.model.NodeId;
import java.time.Duration;

/** When machines fail by chance: without memory, so that times between failures are exponential. */
public final class Outages {
    private Outages() {}

    /** How long after it came up a node fails for the {@code number}-th time. */
    public static Duration after(long seed, NodeId node, long number, Duration meanTimeBetweenFailures) {
        double u = new Dice(seed)
                .salted("outage")
                .salted(node.value())
                .salted(number)
                .unit();
        return Duration.ofMillis((long) (-StrictMath.log(1 - u) * meanTimeBetweenFailures.toMillis()));
    }
}
