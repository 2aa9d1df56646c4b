package io.muster.dispatch;

import io.muster.gateway.ClusterGateway;
import io.muster.gateway.ClusterHealth;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/** Whether the cluster can be reached. */
@Component("clusterHealthIndicator")
class ClusterHealthIndicator implements HealthIndicator {
    private final ClusterGateway gateway;

    ClusterHealthIndicator(@Lazy ClusterGateway gateway) {
        this.gateway = gateway;
    }

    @Override
    public Health health() {
        ClusterHealth health = gateway.health();
        Health.Builder answer = health.reachable() ? Health.up() : Health.down();
        if (health.lastHeard() != null) {
            answer.withDetail("lastHeard", health.lastHeard().toString());
        }
        return answer.withDetail("detail", health.detail()).build();
    }
}
