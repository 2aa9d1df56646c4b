package io.muster.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks of topology.
 *
 * @param require the level whose one domain must hold the whole gang, or null
 * @param prefer a finer level that is tried first, or null
 * @param patience how long the preferred level is waited for before it is relaxed; zero: not at all
 */
public record TopologyRequest(
        @Nullable String require, @Nullable String prefer, Duration patience) {
    public static final TopologyRequest NONE = new TopologyRequest(null, null, Duration.ZERO);
}
