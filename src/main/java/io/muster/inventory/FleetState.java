package io.muster.inventory;

import io.muster.model.GpuTypeId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Everything that inventory reads answer from, at one revision. */
final class FleetState {
    record Versioned<T>(T value, long version) {}

    final List<Pool> pools;
    final List<GpuType> types;
    final List<Node> nodes;
    final List<UnassignedNode> unassigned;
    final Map<PoolId, Versioned<Pool>> poolById;
    final Map<GpuTypeId, Versioned<GpuType>> typeById;
    final Map<NodeId, Node> nodeById;

    FleetState(
            List<Versioned<Pool>> pools,
            List<Versioned<GpuType>> types,
            List<Node> nodes,
            List<UnassignedNode> unassigned) {
        this.pools = pools.stream().map(Versioned::value).toList();
        this.types = types.stream().map(Versioned::value).toList();
        this.nodes = nodes;
        this.unassigned = unassigned;
        poolById = pools.stream().collect(Collectors.toMap(p -> p.value().id(), Function.identity()));
        typeById = types.stream().collect(Collectors.toMap(t -> t.value().id(), Function.identity()));
        nodeById = nodes.stream().collect(Collectors.toMap(Node::id, Function.identity()));
    }
}
