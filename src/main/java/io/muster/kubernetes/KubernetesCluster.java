package io.muster.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.muster.gateway.ClusterGateway;
import io.muster.gateway.ClusterHealth;
import io.muster.gateway.ClusterObserver;
import io.muster.model.NodeId;
import java.time.Clock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * The adapter as a whole: commands work from the start; telling begins when the server has started, and ends before it
 * stops.
 */
final class KubernetesCluster implements SmartLifecycle {

    private final KubernetesClient client;
    private final Marks marks;
    private final KubernetesProperties settings;
    private final Clock clock;
    private final Supplier<ClusterObserver> observer;
    private final ClusterGateway gateway;
    private volatile @Nullable ClusterReporter reporter;

    /** {@code observer} is asked for when telling begins, as it may itself need the gateway. */
    KubernetesCluster(
            KubernetesClient client,
            Marks marks,
            KubernetesProperties settings,
            Clock clock,
            Supplier<ClusterObserver> observer) {
        this.client = client;
        this.marks = marks;
        this.settings = settings;
        this.clock = clock;
        this.observer = observer;
        this.gateway = new KubernetesGateway(client, marks, settings, new CurrentView());
    }

    ClusterGateway gateway() {
        return gateway;
    }

    /** How often watches were found deaf since telling began. */
    int watchesReplaced() {
        var current = reporter;
        return current == null ? 0 : current.watchesReplaced();
    }

    @Override
    public void start() {
        var starting = new ClusterReporter(client, marks, settings, clock, observer.get());
        reporter = starting;
        starting.start();
    }

    @Override
    public void stop() {
        var stopping = reporter;
        reporter = null;
        if (stopping != null) {
            stopping.close();
        }
    }

    @Override
    public boolean isRunning() {
        return reporter != null;
    }

    private final class CurrentView implements ClusterView {
        @Override
        public boolean hasNode(NodeId node) {
            var current = reporter;
            return current != null && current.hasNode(node);
        }

        @Override
        public ClusterHealth health() {
            var current = reporter;
            return current == null ? new ClusterHealth(false, null, "not started") : current.health();
        }
    }
}
