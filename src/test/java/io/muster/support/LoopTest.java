package io.muster.support;

import io.muster.Muster;
import io.muster.gateway.ClusterObserver;
import io.muster.inventory.FleetAdmin;
import io.muster.job.AttemptTokenSource;
import io.muster.tenancy.TenancyAdmin;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Instant;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The whole server, but nothing moves by itself: the loop does not beat, no worker dispatches, the clock stands, and the
 * cluster is a {@link NotedCluster}. Cycles and commands are run by hand.
 */
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@FreshDatabase
@SpringBootTest(
        classes = {Muster.class, LoopTest.Parts.class},
        properties = {
            "muster.cycle.enabled=false",
            "muster.dispatch.workers=0",
            "muster.cluster.type=none",
            "spring.quartz.auto-startup=false"
        })
public @interface LoopTest {

    /** What the test holds in its hand. */
    @TestConfiguration(proxyBeanMethods = false)
    class Parts {
        @Bean
        @Primary
        HandClock handClock() {
            return new HandClock(Instant.parse("2026-03-02T08:00:00Z"));
        }

        @Bean
        @Primary
        NotedCluster notedCluster() {
            return new NotedCluster();
        }

        @Bean
        @Primary
        AttemptTokenSource plainTokens() {
            return attempt -> "token-of-" + attempt;
        }

        @Bean
        Ground ground(
                JdbcClient jdbc, TenancyAdmin tenancy, FleetAdmin fleet, ClusterObserver observer, HandClock clock) {
            return new Ground(jdbc, tenancy, fleet, observer, clock);
        }
    }
}
