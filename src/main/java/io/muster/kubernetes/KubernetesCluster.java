package io.muster.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.muster.gateway.ClusterDuty;
import io.muster.gateway.ClusterFact;
import io.muster.gateway.ClusterGateway;
import io.muster.gateway.ClusterHealth;
import io.muster.gateway.ClusterObserver;
import io.muster.model.NodeId;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The adapter as a whole: commands work from the start; telling begins when the server has started, and ends before it
 * stops. Of several servers the one whose duty it is tells; the others neither watch nor follow logs, and ask several
 * times a second whether it has become theirs.
 */
final class KubernetesCluster implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(KubernetesCluster.class);
    private static final long ASK_AGAIN_MILLIS = 250;

    private final KubernetesClient client;
    private final Marks marks;
    private final KubernetesProperties settings;
    private final Clock clock;
    private final ClusterDuty duty;
    private final Supplier<ClusterObserver> observer;
    private final JobOrder order = new JobOrder();
    private final ClusterGateway gateway;
    private volatile @Nullable ClusterReporter reporter;
    private volatile boolean running;
    private @Nullable Thread asking;

    /** {@code observer} is asked for when telling begins, as it may itself need the gateway. */
    KubernetesCluster(
            KubernetesClient client,
            Marks marks,
            KubernetesProperties settings,
            Clock clock,
            ClusterDuty duty,
            Supplier<ClusterObserver> observer) {
        this.client = client;
        this.marks = marks;
        this.settings = settings;
        this.clock = clock;
        this.duty = duty;
        this.observer = observer;
        this.gateway = new KubernetesGateway(client, marks, settings, order, new CurrentView());
    }

    ClusterGateway gateway() {
        return gateway;
    }

    /** How often watches were found deaf since telling began. */
    int watchesReplaced() {
        var current = reporter;
        return current == null ? 0 : current.watchesReplaced();
    }

    /** True while this server watches the cluster. */
    boolean tells() {
        return reporter != null;
    }

    @Override
    public void start() {
        running = true;
        takeOrLeave();
        asking = Thread.ofVirtual().name("cluster-duty").start(() -> {
            while (running) {
                Pauses.millis(ASK_AGAIN_MILLIS);
                takeOrLeave();
            }
        });
    }

    /** Never throws: who cannot ask goes on as before, and nothing that is told is kept without asking. */
    private void takeOrLeave() {
        try {
            boolean ours = duty.isOurs();
            synchronized (this) {
                if (ours && running && reporter == null) {
                    begin();
                } else if (!ours && reporter != null) {
                    LOG.info("another server watches the cluster now");
                    end();
                }
            }
        } catch (RuntimeException notNow) {
            LOG.debug("could not ask whose duty the cluster is: {}", notNow.toString());
        }
    }

    private void begin() {
        ClusterObserver all = observer.get();
        var starting = new ClusterReporter(client, marks, settings, clock, order, facts -> tellOnDuty(all, facts));
        reporter = starting;
        starting.start();
        LOG.info("this server watches the cluster");
    }

    /** What is refused here is told again, or by whoever has the duty now from a list of its own. */
    private void tellOnDuty(ClusterObserver all, List<ClusterFact> facts) {
        if (!duty.isOurs()) {
            throw new IllegalStateException("another server watches the cluster");
        }
        all.observe(facts);
    }

    private void end() {
        var stopping = reporter;
        reporter = null;
        if (stopping != null) {
            stopping.close();
        }
    }

    @Override
    public synchronized void stop() {
        running = false;
        if (asking != null) {
            asking.interrupt();
        }
        end();
    }

    @Override
    public boolean isRunning() {
        return running;
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
            return current == null
                    ? new ClusterHealth(running, null, running ? "another server watches it" : "not started")
                    : current.health();
        }
    }
}
