package io.muster.cycle;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How much goes into expected starts; in real time.
 *
 * @param enabled false: none are made, and only rough ones are told
 * @param every from the end of one round to the next
 * @param share most of one core that a round takes, between 0.01 and 1
 * @param longest computing time of a round; what has been found by then is used
 * @param samples ways in which the world is run ahead; 5 are enough when time is up
 */
@ConfigurationProperties("muster.forecast")
public record ForecastSettings(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("10s") Duration every,
        @DefaultValue("0.25") double share,
        @DefaultValue("30s") Duration longest,
        @DefaultValue("20") int samples) {
    public ForecastSettings {
        if (share < 0.01 || share > 1) {
            throw new IllegalArgumentException("muster.forecast.share must be between 0.01 and 1");
        }
        if (samples < 5 || samples > 200) {
            throw new IllegalArgumentException("muster.forecast.samples must be between 5 and 200");
        }
    }
}
