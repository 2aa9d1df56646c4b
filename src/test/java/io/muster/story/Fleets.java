package io.muster.story;

import java.util.Map;

/** The one pool of the small fleets in {@code scenarios/fleets}. */
final class Fleets {
    static final String POOL = "h100";

    private Fleets() {}

    /** Block, rack, NVLink domain and node over every node. */
    static Lab pool(Lab lab) {
        return pool(lab, POOL, Map.of());
    }

    static Lab pool(Lab lab, String id, Map<String, String> selector) {
        return lab.pool(
                id,
                selector,
                "block",
                "network.topology.nvidia.com/block",
                "rack",
                "network.topology.nvidia.com/rack",
                "nvlink",
                "nvidia.com/gpu.clique",
                "node",
                "kubernetes.io/hostname");
    }
}
