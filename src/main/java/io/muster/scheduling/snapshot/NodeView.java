package io.muster.scheduling.snapshot;

import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.Resources;

/**
 * A node.
 *
 * @param gpuType the one type of its GPUs
 * @param gpuMemoryMib nominal memory of one GPU in MiB, as people ask for it
 * @param allocatable what the node offers to pods
 * @param foreign what pods that are not Muster's hold
 * @param domain its path of domains, one name per level of the pool, the node's own name last; an empty name where the
 *     node lacks the label: it belongs to no domain of that level
 * @param takesReplicas ready, not cordoned, not tainted beyond the pool's profile, not drained or quarantined
 */
public record NodeView(
        NodeId id,
        PoolId pool,
        GpuTypeId gpuType,
        long gpuMemoryMib,
        Resources allocatable,
        Resources foreign,
        DomainPath domain,
        boolean takesReplicas) {}
