package io.muster.inventory;

import io.muster.model.NodeId;
import io.muster.model.Resources;
import java.time.Instant;
import java.util.Set;

/** Takes what the cluster says of nodes. Nodes that match no pool are kept apart and listed for admins. */
public interface NodeReports {

    void seen(NodeReport report);

    void gone(NodeId node, Instant at);

    void foreign(NodeId node, Resources used, Instant at);

    /** A complete list: nodes that it lacks are gone. */
    void fullList(Set<NodeId> nodes, Instant at);
}
