package io.muster.inventory;

import io.muster.model.GpuTypeId;
import io.muster.model.PoolId;
import java.util.List;

/** What those who edit the inventory read besides the fleet: versions for ETags, and nodes that are of no use. */
public interface FleetBook {

    /** 0: there is no such pool. */
    long version(PoolId pool);

    /** 0: there is no such type. */
    long version(GpuTypeId type);

    /** Nodes that match no pool or whose GPUs are unknown, by name. */
    List<UnassignedNode> unassigned();
}
