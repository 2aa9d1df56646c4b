package io.muster.inventory;

import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node as observed and as admins set it.
 *
 * @param capacity GPUs it had at most: more than allocatable means broken ones
 * @param allocatable what it offers to pods now
 * @param foreign what pods that are not Muster's hold
 * @param domain one name per level of its pool, its own name last
 * @param ready Kubernetes' Ready condition and no bad condition
 * @param reachable false: the cluster lost sight of it; its pods may live
 * @param unschedulable cordoned or tainted on the cluster's side
 * @param cordon set by an admin here, or null
 * @param problems what is wrong with it, for people
 */
public record Node(
        NodeId id,
        PoolId pool,
        GpuTypeId gpuType,
        int capacity,
        Resources allocatable,
        Resources foreign,
        DomainPath domain,
        boolean ready,
        boolean reachable,
        boolean unschedulable,
        @Nullable Cordon cordon,
        List<String> problems,
        Instant seenAt) {

    /** Cordon keeps what runs; drain asks it to leave by {@code deadline}; quarantine is a drain by the system. */
    public record Cordon(
            Kind kind,
            String by,
            Instant since,
            String why,
            @Nullable Instant deadline) {
        public enum Kind {
            CORDON,
            DRAIN,
            QUARANTINE
        }
    }

    public Node {
        problems = List.copyOf(problems);
    }

    /** Whether new replicas may go there. */
    public boolean takesReplicas() {
        return ready && reachable && !unschedulable && cordon == null;
    }
}
