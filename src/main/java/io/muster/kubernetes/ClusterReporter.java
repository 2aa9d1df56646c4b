package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.muster.gateway.ClusterHealth;
import io.muster.gateway.ClusterObserver;
import io.muster.model.NodeId;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the observer what happens on the cluster: at once, by watches; and, because watches are never trusted alone, by
 * a list of everything at intervals, which is compared with what the watches told. A watch that knew less than the list
 * before the last one is deaf and replaced.
 */
final class ClusterReporter implements ClusterView, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterReporter.class);
    private static final int MOST_WAITING = 100_000;
    private static final int LISTS_BETWEEN_LISTS_OF_ALL_PODS = 10;

    private final KubernetesProperties settings;
    private final Clock clock;
    private final Marks marks;
    private final ClusterLists lists;
    private final Heard heard;
    private final Teller teller;
    private final Troubles troubles;
    private final Orphans orphans;
    private final Picture picture;
    private final ClusterWatch watch;
    private final LogCollector logs;
    private final Map<String, Long> watchedVersions = new HashMap<>();
    private Map<String, Long> listedBefore = Map.of();
    private int round;
    private final Thread lister;
    private final AtomicInteger watchesReplaced = new AtomicInteger();
    private volatile boolean closed;

    ClusterReporter(
            KubernetesClient client,
            Marks marks,
            KubernetesProperties settings,
            Clock clock,
            JobOrder order,
            ClusterObserver observer) {
        this.settings = settings;
        this.clock = clock;
        this.marks = marks;
        this.lists = new ClusterLists(client, marks);
        this.heard = new Heard(clock, settings.silence());
        this.teller = new Teller("cluster-facts", observer, MOST_WAITING);
        this.troubles = new Troubles(client);
        this.orphans = new Orphans(client, marks, order, settings.orphanAge());
        this.picture = new Picture(
                marks,
                new ReplicaFacts(settings.bindTimeout(), troubles::of),
                new Quantities(settings.gpuResources()),
                clock,
                teller::tell);
        this.logs = new LogCollector(client, settings, observer);
        this.watch = new ClusterWatch(
                client,
                new ClusterWatch.Events<>(this::seen, this::gone),
                new ClusterWatch.Events<>(this::seen, this::gone),
                heard);
        this.lister = Thread.ofVirtual().name("cluster-lists").unstarted(this::listForever);
    }

    void start() {
        lister.start();
        watch.start();
    }

    // ---- watches

    private void seen(Node node) {
        note(node);
        picture.seen(node);
    }

    private void gone(Node node) {
        forget(node);
        picture.gone(node);
    }

    private void seen(Pod pod) {
        var replica = marks.replica(pod);
        if (replica.isPresent()) {
            note(pod);
            logs.seen(replica.get(), pod);
        }
        picture.seen(pod);
    }

    private void gone(Pod pod) {
        forget(pod);
        marks.replica(pod).ifPresent(logs::gone);
        picture.gone(pod);
    }

    private void note(HasMetadata object) {
        synchronized (watchedVersions) {
            watchedVersions.put(object.getMetadata().getUid(), Versions.of(object));
        }
    }

    private void forget(HasMetadata object) {
        synchronized (watchedVersions) {
            watchedVersions.remove(object.getMetadata().getUid());
        }
    }

    // ---- lists

    private void listForever() {
        while (!closed) {
            boolean worked = listSafely();
            Pauses.millis(
                    worked
                            ? settings.relist().toMillis()
                            : Math.min(1_000, settings.relist().toMillis()));
        }
    }

    /** This loop must not end by anything that one object of the cluster is or lacks. */
    private boolean listSafely() {
        try {
            return list();
        } catch (RuntimeException bug) {
            picture.abandonList();
            heard.trouble("a list could not be understood: " + bug);
            LOG.error("a list of the cluster could not be understood", bug);
            return false;
        }
    }

    private boolean list() {
        var at = clock.instant().minus(settings.clockSkew());
        picture.beginList();
        try {
            var nodes = lists.nodes();
            var all = round % LISTS_BETWEEN_LISTS_OF_ALL_PODS == 0
                    ? Optional.of(lists.everyPod())
                    : Optional.<List<Pod>>empty();
            var ours = all.map(pods -> pods.stream().filter(marks::isOurs).toList())
                    .orElseGet(lists::ours);
            var ofReplicas =
                    ours.stream().filter(pod -> marks.replica(pod).isPresent()).toList();
            troubles.look(ofReplicas, clock.instant());
            picture.endList(nodes, ofReplicas, all, at);
            ofReplicas.forEach(pod -> logs.seen(marks.replica(pod).orElseThrow(), pod));
            heard.everything();
            removeOrphans(ofReplicas);
            compare(nodes, ofReplicas);
            round++;
            return true;
        } catch (KubernetesClientException unreachable) {
            picture.abandonList();
            heard.trouble("a list failed: " + ApiErrors.text(unreachable));
            if (!closed) {
                LOG.warn("could not list the cluster: {}", ApiErrors.text(unreachable));
            }
            return false;
        }
    }

    /** A cluster that does not let Services be listed keeps them: that is untidy, and nothing worse. */
    private void removeOrphans(List<Pod> pods) {
        try {
            orphans.remove(lists.services(), pods, clock.instant());
        } catch (KubernetesClientException notAllowed) {
            LOG.debug("Services could not be listed: {}", ApiErrors.text(notAllowed));
        }
    }

    /** What was listed one round ago has had time to come by watch. */
    private void compare(List<Node> nodes, List<Pod> pods) {
        var listed = new HashMap<String, Long>();
        nodes.forEach(node -> listed.put(node.getMetadata().getUid(), Versions.of(node)));
        pods.forEach(pod -> listed.put(pod.getMetadata().getUid(), Versions.of(pod)));
        boolean deaf;
        synchronized (watchedVersions) {
            deaf = listedBefore.entrySet().stream()
                    .filter(before -> listed.containsKey(before.getKey()))
                    .anyMatch(before -> watchedVersions.getOrDefault(before.getKey(), -1L) < before.getValue());
        }
        if (deaf && !closed) {
            LOG.warn("the watches of the cluster are behind its lists: they are replaced");
            heard.trouble("watches were behind the lists and have been replaced");
            watch.restart();
            watchesReplaced.incrementAndGet();
            listedBefore = Map.of();
        } else {
            listedBefore = listed;
        }
    }

    // ---- for others

    int watchesReplaced() {
        return watchesReplaced.get();
    }

    @Override
    public boolean hasNode(NodeId node) {
        return picture.hasNode(node);
    }

    @Override
    public ClusterHealth health() {
        return heard.health(picture.nodeCount() + " nodes, " + picture.replicaCount() + " replicas");
    }

    @Override
    public void close() {
        closed = true;
        lister.interrupt();
        watch.close();
        logs.close();
        teller.close();
    }
}
