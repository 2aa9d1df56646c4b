package io.muster.inventory;

import io.muster.model.NodeId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the cluster says of a node; amounts by resource name (GPUs in units, cpu in thousandths, memory in bytes). */
public record NodeReport(
        NodeId node,
        Map<String, String> labels,
        List<Taint> taints,
        Map<String, Long> allocatable,
        boolean ready,
        boolean unschedulable,
        List<String> badConditions,
        Instant at) {

    public record Taint(String key, @Nullable String value, String effect) {}

    public NodeReport {
        labels = Map.copyOf(labels);
        taints = List.copyOf(taints);
        allocatable = Map.copyOf(allocatable);
        badConditions = List.copyOf(badConditions);
    }
}
