package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches of all nodes and pods. They reconnect by themselves, and are replaced as a whole when lists show that they
 * have gone deaf.
 */
final class ClusterWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);

    private final KubernetesClient client;
    private final Events<Node> nodes;
    private final Events<Pod> pods;
    private final Heard heard;
    private final List<SharedIndexInformer<?>> running = new ArrayList<>();

    /** Where events of a kind go. */
    record Events<T extends HasMetadata>(Consumer<T> seen, Consumer<T> gone) {}

    ClusterWatch(KubernetesClient client, Events<Node> nodes, Events<Pod> pods, Heard heard) {
        this.client = client;
        this.nodes = nodes;
        this.pods = pods;
        this.heard = heard;
    }

    synchronized void start() {
        running.add(started(client.nodes().runnableInformer(0), nodes));
        running.add(started(client.pods().inAnyNamespace().runnableInformer(0), pods));
    }

    synchronized void restart() {
        close();
        start();
    }

    private <T extends HasMetadata> SharedIndexInformer<T> started(SharedIndexInformer<T> informer, Events<T> events) {
        informer.itemStore(new Thin.Store<>());
        informer.exceptionHandler((isStarted, failure) -> {
            LOG.warn("a watch failed and is tried again: {}", failure.toString());
            heard.trouble("a watch failed: " + failure.getMessage());
            return true;
        });
        informer.addEventHandler(handler(events));
        informer.start();
        return informer;
    }

    private <T extends HasMetadata> ResourceEventHandler<T> handler(Events<T> events) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                heard.something();
                events.seen().accept(object);
            }

            @Override
            public void onUpdate(T before, T now) {
                heard.something();
                events.seen().accept(now);
            }

            @Override
            public void onDelete(T object, boolean onlyMissingFromList) {
                heard.something();
                events.gone().accept(object);
            }
        };
    }

    @Override
    public synchronized void close() {
        running.forEach(SharedIndexInformer::stop);
        running.clear();
    }
}
