package io.muster.cycle;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the loop beats; all in real time.
 *
 * @param enabled false: this server never plans (a test that does it by hand, a server that only serves)
 * @param minSpacing events bring a cycle forward, but no closer than this to the one before
 * @param watchdog a cycle begins after this long even if nobody asks
 * @param lease a leader that has not renewed its epoch for this long is replaced
 */
@ConfigurationProperties("muster.cycle")
public record CycleSettings(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("100ms") Duration minSpacing,
        @DefaultValue("2s") Duration watchdog,
        @DefaultValue("10s") Duration lease) {}
