package io.muster.kubernetes;

import io.muster.gateway.ClusterHealth;
import io.muster.model.NodeId;

/** What is known of the cluster at this moment, by those who carry out commands. */
interface ClusterView {

    boolean hasNode(NodeId node);

    ClusterHealth health();
}
