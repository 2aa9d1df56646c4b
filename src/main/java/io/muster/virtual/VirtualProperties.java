package io.muster.virtual;

import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the virtual cluster is set up.
 *
 * @param fleet where the fleet's YAML lies: a file, or {@code classpath:...}
 * @param poll how often, in real time, it looks for what has happened
 * @param relist how often, in real time, it tells a complete list
 * @param timeScale how many times faster than the world it runs; the clock of the whole server follows
 * @param seed of all that is left to chance
 * @param lostNodeTimeout how long a failed node is waited for before its object goes, in domain time
 * @param nodeMtbf mean time between failures of one node in domain time, or null: nodes fail only by hand
 * @param nodeRepair how long a node that failed by chance is away, in domain time
 */
@ConfigurationProperties("muster.virtual")
public record VirtualProperties(
        @DefaultValue("classpath:scenarios/fleets/demo.yaml")
        String fleet,

        @DefaultValue("250ms") Duration poll,
        @DefaultValue("30s") Duration relist,
        @DefaultValue("1") BigDecimal timeScale,
        @DefaultValue("1") long seed,
        @DefaultValue("1m") Duration lostNodeTimeout,
        @Nullable Duration nodeMtbf,
        @DefaultValue("15m") Duration nodeRepair) {}
