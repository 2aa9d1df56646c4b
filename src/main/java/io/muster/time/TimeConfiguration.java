package io.muster.time;

import java.math.BigDecimal;
import java.time.Clock;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Provides the server's clock. Only the virtual cluster may run faster than the world. */
@Configuration(proxyBeanMethods = false)
class TimeConfiguration {

    @Bean
    @ConditionalOnProperty(name = "muster.cluster.type", havingValue = "virtual", matchIfMissing = true)
    Clock virtualClock(JdbcClient jdbc, @Value("${muster.virtual.time-scale:1}") BigDecimal scale) {
        return new ClockAnchor(jdbc, Clock.systemUTC()).clock(scale);
    }

    @Bean
    @ConditionalOnProperty(name = "muster.cluster.type", havingValue = "kubernetes")
    Clock systemClock() {
        return Clock.systemUTC();
    }
}
