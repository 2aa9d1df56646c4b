package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.muster.gateway.ClusterFact;
import io.muster.gateway.ClusterFact.FullList;
import io.muster.gateway.ClusterFact.NodeGone;
import io.muster.gateway.ClusterFact.NodeSeen;
import io.muster.gateway.ClusterFact.ReplicaGone;
import io.muster.gateway.ClusterFact.ReplicaSeen;
import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What has been heard of the cluster, from watches and from lists, and what of it was told. The two sources overlap and
 * neither is always the newer, so that every object is kept with its version and an older one never replaces a newer
 * one; what a watch saw go while a list was under way stays gone. Facts leave in the order in which they became known.
 */
final class Picture {

    private final Marks marks;
    private final ReplicaFacts facts;
    private final Clock clock;
    private final Predicate<ClusterFact> teller;

    private final Map<ReplicaId, Known> replicas = new TreeMap<>();
    private final Map<NodeId, KnownNode> nodes = new TreeMap<>();
    private final ForeignPods foreign;
    private final Set<String> goneDuringList = new HashSet<>();
    private Set<String> knownBeforeList = Set.of();
    private boolean listing;
    private boolean complete;
    private boolean lost;

    /** A replica as it was last told, of which pod and which version. */
    private record Known(String uid, long version, Pod pod, ReplicaSeen told) {}

    private record KnownNode(String uid, long version, NodeSeen told) {}

    /** {@code teller} answers whether it took the fact. */
    Picture(Marks marks, ReplicaFacts facts, Quantities quantities, Clock clock, Predicate<ClusterFact> teller) {
        this.marks = marks;
        this.facts = facts;
        this.clock = clock;
        this.teller = teller;
        this.foreign = new ForeignPods(quantities);
    }

    // ---- from watches

    synchronized void seen(Node node) {
        take(node);
    }

    synchronized void gone(Node node) {
        noteGone(node.getMetadata().getUid());
        var known = nodes.get(NodeFacts.id(node));
        if (known != null && known.uid().equals(node.getMetadata().getUid())) {
            drop(NodeFacts.id(node));
        }
    }

    synchronized void seen(Pod pod) {
        take(pod, false);
    }

    synchronized void gone(Pod pod) {
        noteGone(pod.getMetadata().getUid());
        var replica = marks.replica(pod);
        if (replica.isPresent()) {
            var known = replicas.get(replica.get());
            if (known == null || known.uid().equals(pod.getMetadata().getUid())) {
                drop(replica.get());
            }
        } else {
            foreign.remove(pod.getMetadata().getUid()).ifPresent(this::tellForeign);
        }
    }

    // ---- from lists

    /** A list begins: what goes from now on is not to come back with it. */
    synchronized void beginList() {
        goneDuringList.clear();
        knownBeforeList = knownUids();
        listing = true;
    }

    /**
     * A list has ended. Ours, and the nodes, are complete; so are the others, where they were looked at.
     *
     * @param at by when it had not yet begun
     */
    synchronized void endList(List<Node> listedNodes, List<Pod> ours, Optional<List<Pod>> others, Instant at) {
        listing = false;
        listedNodes.stream().filter(this::isStillThere).forEach(this::take);
        ours.stream().filter(this::isStillThere).forEach(pod -> take(pod, true));
        dropMissing(listedNodes, ours);
        others.ifPresent(this::replaceForeign);
        if (lost || others.isPresent()) {
            lost = false;
            nodes.values().forEach(known -> emit(known.told()));
            nodes.keySet().forEach(this::tellForeign);
        }
        emit(new FullList(Set.copyOf(replicas.keySet()), Set.copyOf(nodes.keySet()), at));
    }

    /** A list has failed. */
    synchronized void abandonList() {
        listing = false;
    }

    private void replaceForeign(List<Pod> all) {
        var others = all.stream().filter(pod -> marks.replica(pod).isEmpty()).toList();
        var missing = new HashSet<>(knownBeforeList);
        others.forEach(pod -> missing.remove(pod.getMetadata().getUid()));
        missing.forEach(foreign::remove);
        others.stream().filter(this::isStillThere).forEach(foreign::put);
        complete = true;
    }

    /** Known before the list began, and not on it: a deletion of which no watch told. */
    private void dropMissing(List<Node> listedNodes, List<Pod> ours) {
        var missing = new HashSet<>(knownBeforeList);
        listedNodes.forEach(node -> missing.remove(node.getMetadata().getUid()));
        ours.forEach(pod -> missing.remove(pod.getMetadata().getUid()));
        keysOf(replicas, known -> missing.contains(known.uid())).forEach(this::drop);
        keysOf(nodes, known -> missing.contains(known.uid())).forEach(this::drop);
    }

    private static <K, V> List<K> keysOf(Map<K, V> map, Predicate<V> which) {
        return map.entrySet().stream()
                .filter(entry -> which.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private Set<String> knownUids() {
        var uids = new HashSet<String>(foreign.uids());
        replicas.values().forEach(known -> uids.add(known.uid()));
        nodes.values().forEach(known -> uids.add(known.uid()));
        return uids;
    }

    private boolean isStillThere(HasMetadata listed) {
        return !goneDuringList.contains(listed.getMetadata().getUid());
    }

    // ---- both

    private void take(Node node) {
        var id = NodeFacts.id(node);
        var known = nodes.get(id);
        long version = Versions.of(node);
        if (known != null && known.uid().equals(node.getMetadata().getUid()) && known.version() >= version) {
            return;
        }
        var fact = NodeFacts.seen(node, clock.instant());
        boolean changed = known == null || !sameButTime(known.told(), fact);
        nodes.put(id, new KnownNode(node.getMetadata().getUid(), version, fact));
        if (changed) {
            emit(fact);
        }
        if (known == null) {
            tellForeign(id);
        }
    }

    private static boolean sameButTime(NodeSeen one, NodeSeen other) {
        return new NodeSeen(
                        other.node(),
                        other.labels(),
                        other.taints(),
                        other.allocatable(),
                        other.ready(),
                        other.unschedulable(),
                        other.badConditions(),
                        one.at())
                .equals(one);
    }

    private void take(Pod pod, boolean tellAnyway) {
        var replica = marks.replica(pod);
        if (replica.isEmpty()) {
            if (ForeignPods.hasEnded(pod)) {
                noteGone(pod.getMetadata().getUid());
            }
            foreign.put(pod).forEach(this::tellForeign);
            return;
        }
        var known = replicas.get(replica.get());
        long version = Versions.of(pod);
        var newest = known != null && known.uid().equals(pod.getMetadata().getUid()) && known.version() > version
                ? known.pod()
                : pod;
        var fact = facts.seen(replica.get(), newest, clock.instant());
        replicas.put(replica.get(), new Known(newest.getMetadata().getUid(), Versions.of(newest), newest, fact));
        if (tellAnyway || known == null || !known.told().equals(fact)) {
            emit(fact);
        }
    }

    private void drop(ReplicaId replica) {
        replicas.remove(replica);
        emit(new ReplicaGone(replica, clock.instant()));
    }

    private void drop(NodeId node) {
        nodes.remove(node);
        emit(new NodeGone(node, clock.instant()));
    }

    /** Before the first complete list a sum would be too small, and GPUs would look free that are not. */
    private void tellForeign(NodeId node) {
        if (complete && nodes.containsKey(node)) {
            emit(new ClusterFact.ForeignUsage(node, foreign.on(node), clock.instant()));
        }
    }

    private void noteGone(String uid) {
        if (listing) {
            goneDuringList.add(uid);
        }
    }

    private void emit(ClusterFact fact) {
        if (!teller.test(fact)) {
            lost = true;
        }
    }

    // ---- for others

    synchronized boolean hasNode(NodeId node) {
        return nodes.containsKey(node);
    }

    synchronized int nodeCount() {
        return nodes.size();
    }

    synchronized int replicaCount() {
        return replicas.size();
    }
}
