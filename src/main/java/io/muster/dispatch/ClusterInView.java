package io.muster.dispatch;

import io.muster.gateway.ClusterGateway;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/** Whether the cluster is heard from: while it is not, silence says nothing about programs. */
@Component
public class ClusterInView {
    private final ClusterGateway gateway;

    ClusterInView(@Lazy ClusterGateway gateway) {
        this.gateway = gateway;
    }

    public boolean isNow() {
        return gateway.health().reachable();
    }
}
