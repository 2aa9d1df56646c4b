package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.muster.model.NodeId;
import io.muster.model.Resources;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** What pods that are not ours hold, per node: all that are bound and not ended, DaemonSets' included. */
final class ForeignPods {

    private final Quantities quantities;
    private final Map<String, Holding> holdings = new HashMap<>();
    private final Map<NodeId, Set<String>> byNode = new HashMap<>();

    private record Holding(NodeId node, Resources amount, long version) {}

    ForeignPods(Quantities quantities) {
        this.quantities = quantities;
    }

    /** Answers the nodes on which something changed. */
    Set<NodeId> put(Pod pod) {
        var uid = pod.getMetadata().getUid();
        var known = holdings.get(uid);
        if (known != null && known.version() >= Versions.of(pod)) {
            return Set.of();
        }
        var node = pod.getSpec().getNodeName();
        if (node == null || hasEnded(pod)) {
            return remove(uid).map(Set::of).orElse(Set.of());
        }
        var holding = new Holding(new NodeId(node), quantities.resources(PodRequests.of(pod)), Versions.of(pod));
        holdings.put(uid, holding);
        byNode.computeIfAbsent(holding.node(), _ -> new HashSet<>()).add(uid);
        return known != null && known.amount().equals(holding.amount()) ? Set.of() : Set.of(holding.node());
    }

    /** The node that it held something of. */
    Optional<NodeId> remove(String uid) {
        var known = holdings.remove(uid);
        if (known == null) {
            return Optional.empty();
        }
        var rest = byNode.get(known.node());
        if (rest != null) {
            rest.remove(uid);
            if (rest.isEmpty()) {
                byNode.remove(known.node());
            }
        }
        return Optional.of(known.node());
    }

    Set<String> uids() {
        return holdings.keySet();
    }

    Resources on(NodeId node) {
        return byNode.getOrDefault(node, Set.of()).stream()
                .map(uid -> Objects.requireNonNull(holdings.get(uid)).amount())
                .reduce(Resources.NONE, Resources::plus);
    }

    static boolean hasEnded(Pod pod) {
        return Set.of("Succeeded", "Failed").contains(pod.getStatus().getPhase());
    }
}
