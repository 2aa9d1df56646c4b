package io.muster.virtual;

import io.muster.gateway.ClusterGateway;
import io.muster.gateway.ClusterObserver;
import io.muster.simulation.BadFleetException;
import io.muster.simulation.FleetYaml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Sets the virtual cluster up; it is the default when no cluster is configured. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(VirtualProperties.class)
@ConditionalOnProperty(name = "muster.cluster.type", havingValue = "virtual", matchIfMissing = true)
class VirtualConfiguration {

    @Bean
    VirtualParts virtualParts(
            JdbcClient jdbc,
            PlatformTransactionManager transactions,
            Clock clock,
            VirtualProperties properties,
            ObjectProvider<ClusterObserver> observers) {
        ClusterObserver all = facts -> observers.orderedStream().forEach(observer -> observer.observe(facts));
        return new VirtualParts(jdbc, new TransactionTemplate(transactions), clock, properties, all);
    }

    @Bean
    ClusterGateway virtualCluster(VirtualParts parts) {
        return parts.cluster();
    }

    @Bean
    VirtualFleet virtualFleet(VirtualParts parts) {
        return parts.fleet();
    }

    @Bean
    VirtualHost virtualHost(VirtualParts parts, VirtualProperties properties, ResourceLoader files) {
        parts.become(FleetYaml.parse(properties.fleet(), text(properties.fleet(), files)));
        return parts.host();
    }

    private static String text(String location, ResourceLoader files) {
        Resource resource = files.getResource(location.contains(":") ? location : "file:" + location);
        try {
            return resource.getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new BadFleetException(location + ": the fleet cannot be read: " + e.getMessage(), e);
        }
    }
}
