package io.muster.virtual;

import io.muster.gateway.ClusterObserver;
import io.muster.simulation.FleetNode;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** The virtual cluster put together, for the server and for tests alike. */
final class VirtualParts {
    private final NodeRows nodes;
    private final Clock clock;
    private final VirtualCluster cluster;
    private final VirtualFleet fleet;
    private final VirtualHost host;

    VirtualParts(
            JdbcClient jdbc,
            TransactionTemplate transaction,
            Clock clock,
            VirtualProperties properties,
            ClusterObserver observer) {
        this.clock = clock;
        this.nodes = new NodeRows(jdbc, transaction);
        var pulse = new HostPulse();
        var told = new ToldRows(jdbc, transaction);
        this.cluster =
                new VirtualCluster(jdbc, transaction, clock, new Admission(jdbc, nodes, properties.seed()), pulse);
        this.fleet = new VirtualFleet(jdbc, nodes, clock, properties);
        this.host = new VirtualHost(
                new HostLease(jdbc, UUID.randomUUID().toString()),
                new Teller(new AttemptRows(jdbc), told, nodes, observer),
                new NodeWeather(nodes, properties),
                told,
                pulse,
                clock,
                properties);
    }

    /** Makes the fleet this one. */
    void become(List<FleetNode> fleet) {
        nodes.become(fleet, clock.instant().truncatedTo(ChronoUnit.MILLIS));
    }

    VirtualCluster cluster() {
        return cluster;
    }

    VirtualFleet fleet() {
        return fleet;
    }

    VirtualHost host() {
        return host;
    }
}
