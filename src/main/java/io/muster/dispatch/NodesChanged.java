package io.muster.dispatch;

/** Published in the transaction that kept news of nodes: there may be more room, or less. */
public record NodesChanged() {}
