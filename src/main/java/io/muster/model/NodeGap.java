package io.muster.model;

import java.util.List;

/**
 * One node of the best place for a waiting gang, as the node strips of the UI show it.
 *
 * @param node the node
 * @param total GPUs of the node
 * @param free GPUs free for this job now
 * @param reserved GPUs kept for this very job
 * @param holders who holds the rest
 */
public record NodeGap(NodeId node, int total, int free, int reserved, List<Holder> holders) {
    public NodeGap {
        holders = List.copyOf(holders);
    }
}
