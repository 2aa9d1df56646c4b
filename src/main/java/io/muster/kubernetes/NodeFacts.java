package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.muster.gateway.ClusterFact;
import io.muster.model.NodeId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a Node object says. Numbers come from what is allocatable only; labels are passed on as they are. */
final class NodeFacts {

    private NodeFacts() {}

    static NodeId id(Node node) {
        return new NodeId(node.getMetadata().getName());
    }

    static ClusterFact.NodeSeen seen(Node node, Instant now) {
        var labels = node.getMetadata().getLabels();
        var conditions = conditions(node);
        return new ClusterFact.NodeSeen(
                id(node),
                labels == null ? Map.of() : labels,
                taints(node),
                node.getStatus() == null
                        ? Map.of()
                        : Quantities.integers(node.getStatus().getAllocatable()),
                conditions.stream().anyMatch(c -> c.getType().equals("Ready") && isTrue(c)),
                Boolean.TRUE.equals(node.getSpec().getUnschedulable()),
                conditions.stream()
                        .filter(c -> !c.getType().equals("Ready") && isTrue(c))
                        .map(NodeFacts::sentence)
                        .sorted()
                        .toList(),
                now);
    }

    private static List<ClusterFact.Taint> taints(Node node) {
        return node.getSpec().getTaints().stream()
                .map(taint -> new ClusterFact.Taint(taint.getKey(), taint.getValue(), taint.getEffect()))
                .toList();
    }

    private static List<NodeCondition> conditions(Node node) {
        return node.getStatus() == null ? List.of() : node.getStatus().getConditions();
    }

    /** Every condition but Ready names a trouble (the kubelet's own, node-problem-detector's, NVSentinel's). */
    private static boolean isTrue(NodeCondition condition) {
        return "True".equals(condition.getStatus());
    }

    private static String sentence(NodeCondition condition) {
        @Nullable String message = condition.getMessage();
        return message == null || message.isBlank() ? condition.getType() : condition.getType() + ": " + message;
    }
}
