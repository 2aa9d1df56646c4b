package io.muster.simulation;

import io.muster.gateway.ClusterFact.Taint;
import io.muster.model.NodeId;
import io.muster.model.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Equal nodes of a virtual fleet, and how they stand.
 *
 * @param name of the pool; its nodes carry it as a label and in their names
 * @param machine what each node is
 * @param zone availability zone
 * @param blocks from the outermost level inwards
 * @param oddities nodes that are not as the others, by node name
 */
public record FleetPool(String name, Machine machine, String zone, List<Block> blocks, Map<NodeId, Oddity> oddities) {

    public static final String POOL = "muster.io/pool";
    public static final String ZONE = "topology.kubernetes.io/zone";
    public static final String BLOCK = "network.topology.nvidia.com/block";
    public static final String RACK = "network.topology.nvidia.com/rack";
    public static final String NVLINK = "nvidia.com/gpu.clique";
    public static final String HOSTNAME = "kubernetes.io/hostname";

    public FleetPool {
        blocks = List.copyOf(blocks);
        oddities = Map.copyOf(oddities);
    }

    /**
     * What a node is.
     *
     * @param product the value of the GPU product label
     * @param gpuMemoryMib memory of one GPU as the driver reports it
     * @param labels further labels
     */
    public record Machine(
            String gpuResource,
            String product,
            long gpuMemoryMib,
            Resources offers,
            Resources foreign,
            Map<String, String> labels,
            List<Taint> taints) {}

    /** Racks under one spine. */
    public record Block(String name, List<Rack> racks) {
        public Block {
            racks = List.copyOf(racks);
        }
    }

    /**
     * Nodes under one leaf.
     *
     * @param nvlink true: one NVLink domain spans the rack; false: every node is its own
     */
    public record Rack(String name, int nodes, boolean nvlink) {}

    /** What is different about one node; null or empty: nothing. */
    public record Oddity(@Nullable Integer gpus, boolean ready, boolean unschedulable, List<String> badConditions) {
        static final Oddity NONE = new Oddity(null, true, false, List.of());

        public Oddity {
            badConditions = List.copyOf(badConditions);
        }
    }

    /** Every node of the pool, block by block and rack by rack. */
    public List<FleetNode> nodes() {
        var nodes = new ArrayList<FleetNode>();
        for (Block block : blocks) {
            for (Rack rack : block.racks()) {
                for (int n = 1; n <= rack.nodes(); n++) {
                    nodes.add(node(block, rack, n));
                }
            }
        }
        return nodes;
    }

    private FleetNode node(Block block, Rack rack, int number) {
        String place = name + "-" + block.name() + "-" + rack.name();
        var id = new NodeId(place + "-n" + number);
        Oddity oddity = oddities.getOrDefault(id, Oddity.NONE);
        Resources offers = machine.offers();
        int gpus = Optional.ofNullable(oddity.gpus()).orElse(offers.gpus());
        return new FleetNode(
                id,
                labels(id, block, rack, place),
                machine.taints(),
                machine.gpuResource(),
                new Resources(gpus, offers.cpuMillis(), offers.memoryBytes()),
                oddity.ready(),
                oddity.unschedulable(),
                oddity.badConditions(),
                machine.foreign());
    }

    private Map<String, String> labels(NodeId id, Block block, Rack rack, String place) {
        var labels = new TreeMap<>(machine.labels());
        labels.put(POOL, name);
        labels.put(ZONE, zone);
        labels.put(BLOCK, block.name());
        labels.put(RACK, rack.name());
        labels.put(NVLINK, rack.nvlink() ? place : id.value());
        labels.put(HOSTNAME, id.value());
        labels.put("kubernetes.io/arch", "amd64");
        labels.put("kubernetes.io/os", "linux");
        labels.put("nvidia.com/gpu.product", machine.product());
        labels.put("nvidia.com/gpu.count", Integer.toString(machine.offers().gpus()));
        labels.put("nvidia.com/gpu.memory", Long.toString(machine.gpuMemoryMib()));
        return labels;
    }
}
