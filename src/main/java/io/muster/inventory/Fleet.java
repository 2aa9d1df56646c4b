package io.muster.inventory;

import io.muster.model.GpuTypeId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import java.util.List;
import java.util.Optional;

/** Reads pools, GPU types and nodes; answers come from a cache that follows every change. */
public interface Fleet {

    List<Pool> pools();

    Optional<Pool> pool(PoolId id);

    List<GpuType> gpuTypes();

    Optional<GpuType> gpuType(GpuTypeId id);

    /** Nodes that belong to a pool, by name. */
    List<Node> nodes();

    Optional<Node> node(NodeId id);

    /** Grows with every committed change of pools, types or nodes, by any server on this database. */
    long revision();
}
