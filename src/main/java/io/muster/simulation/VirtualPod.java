package io.muster.simulation;

import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A pod as its row has it: what was decided when it was made, and what was done to it since.
 *
 * @param id the replica that it is
 * @param node where
 * @param gpus how many it holds
 * @param image what it runs
 * @param pull how long it waits for that image: long when the node has never had it, next to nothing later
 * @param loss its node was lost under it, or null
 * @param order somebody ended its program by hand, or null
 */
public record VirtualPod(
        ReplicaId id,
        NodeId node,
        int gpus,
        String image,
        Duration pull,
        @Nullable Loss loss,
        @Nullable Order order) {

    /**
     * The node was lost.
     *
     * @param at when its programs died
     * @param provenAt when the cluster knew for certain, or null: it does not yet
     * @param nodeDeleted true: the node object is gone, and its pods with it; false: it came back and says they died
     */
    public record Loss(Instant at, @Nullable Instant provenAt, boolean nodeDeleted) {}

    /** The program ends, whatever it was doing. */
    public record Order(Instant at, int exitCode) {}
}
