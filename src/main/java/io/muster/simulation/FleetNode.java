package io.muster.simulation;

import io.muster.gateway.ClusterFact.ForeignUsage;
import io.muster.gateway.ClusterFact.NodeSeen;
import io.muster.gateway.ClusterFact.Taint;
import io.muster.model.NodeId;
import io.muster.model.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A node of a virtual fleet.
 *
 * @param gpuResource the resource name of its GPUs
 * @param offers what pods may take of it
 * @param ready false: it never was, as built
 * @param unschedulable cordoned by the cluster's own means
 * @param badConditions what is wrong with it, for people
 * @param foreign what pods that are not Muster's hold of it
 */
public record FleetNode(
        NodeId id,
        Map<String, String> labels,
        List<Taint> taints,
        String gpuResource,
        Resources offers,
        boolean ready,
        boolean unschedulable,
        List<String> badConditions,
        Resources foreign) {

    public FleetNode {
        labels = Map.copyOf(labels);
        taints = List.copyOf(taints);
        badConditions = List.copyOf(badConditions);
    }

    /** The node as the cluster tells of it; {@code lost} while it cannot be reached. */
    public NodeSeen seen(Instant at, boolean lost) {
        List<String> conditions =
                lost ? List.of("NodeStatusUnknown: the kubelet stopped posting its status") : badConditions;
        return new NodeSeen(
                id,
                labels,
                taints,
                Map.of(gpuResource, (long) offers.gpus(), "cpu", offers.cpuMillis(), "memory", offers.memoryBytes()),
                ready && !lost,
                unschedulable,
                conditions,
                at);
    }

    public ForeignUsage foreignUsage(Instant at) {
        return new ForeignUsage(id, foreign, at);
    }
}
