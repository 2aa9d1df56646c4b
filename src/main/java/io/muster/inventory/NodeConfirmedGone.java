package io.muster.inventory;

import io.muster.model.NodeId;
import io.muster.model.UserId;

/**
 * A person says that a node is dead and so is all that ran on it: its GPUs come free without further proof. Published
 * in the transaction of that word, so that whoever frees them does it with it or not at all.
 */
public record NodeConfirmedGone(NodeId node, UserId by, String why) {}
