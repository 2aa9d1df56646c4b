package io.muster.scheduling.preemption;

import io.muster.model.ReplicaPlacement;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.problem.Occupant;
import java.util.List;

/**
 * A victim.
 *
 * @param cost GPU-seconds of work lost
 * @param left the place in which an elastic job goes on with fewer replicas; empty: it leaves whole
 */
public record Taken(Occupant occupant, Cause cause, long cost, List<ReplicaPlacement> left) {
    public Taken {
        left = List.copyOf(left);
    }

    /** GPUs that others get of it. */
    public int gpusFreed() {
        return occupant.gpus() - left.stream().mapToInt(p -> p.amount().gpus()).sum();
    }
}
