package io.muster.inventory;

import io.muster.model.NodeId;
import io.muster.model.PoolId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node that Muster cannot use: it matches no pool, or its GPUs are not in the catalogue. */
public record UnassignedNode(NodeId id, @Nullable PoolId pool, List<String> problems, Instant seenAt) {
    public UnassignedNode {
        problems = List.copyOf(problems);
    }
}
