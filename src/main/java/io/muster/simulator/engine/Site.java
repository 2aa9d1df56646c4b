package io.muster.simulator.engine;

import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.PoolId;
import io.muster.model.TeamPath;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.scheduling.topology.Fleet;
import io.muster.simulation.FleetNode;
import io.muster.simulation.FleetPool;
import java.util.List;
import java.util.Objects;

/** The machines and the teams of a run. */
public final class Site {
    private static final List<String> LEVELS = List.of("block", "rack", "node");

    private final List<PoolView> pools;
    private final List<NodeView> nodes;
    private final Fleet fleet;
    private final List<TeamPath> teams;
    private final int gpus;

    public Site(List<PoolView> pools, List<NodeView> nodes, List<TeamPath> teams) {
        this.pools = List.copyOf(pools);
        this.nodes = List.copyOf(nodes);
        this.teams = List.copyOf(teams);
        fleet = new Fleet(pools, nodes);
        int sum = 0;
        for (int n = 0; n < fleet.size(); n++) {
            sum += fleet.takes(n) ? Math.max(0, fleet.ours(n).gpus()) : 0;
        }
        gpus = sum;
    }

    /** The nodes of a fleet as people write it, pools and types by their labels. */
    public static Site of(List<FleetNode> fleet, List<TeamPath> teams) {
        var nodes = fleet.stream().map(Site::view).toList();
        var pools = nodes.stream()
                .map(NodeView::pool)
                .distinct()
                .sorted()
                .map(p -> new PoolView(p, LEVELS))
                .toList();
        return new Site(pools, nodes, teams);
    }

    private static NodeView view(FleetNode node) {
        return new NodeView(
                node.id(),
                new PoolId(label(node, FleetPool.POOL)),
                new GpuTypeId(label(node, "nvidia.com/gpu.product")),
                Long.parseLong(label(node, "nvidia.com/gpu.memory")),
                node.offers(),
                node.foreign(),
                new DomainPath(List.of(
                        label(node, FleetPool.BLOCK),
                        label(node, FleetPool.RACK),
                        node.id().value())),
                node.ready() && !node.unschedulable());
    }

    private static String label(FleetNode node, String name) {
        return Objects.requireNonNull(node.labels().get(name), name);
    }

    public List<PoolView> pools() {
        return pools;
    }

    public List<NodeView> nodes() {
        return nodes;
    }

    public Fleet fleet() {
        return fleet;
    }

    public List<TeamPath> teams() {
        return teams;
    }

    /** GPUs on which jobs may run. */
    public int gpus() {
        return gpus;
    }
}
