package io.muster.virtual;

import io.muster.model.NodeId;
import io.muster.simulation.Outages;
import java.time.Duration;
import java.time.Instant;

/** Lets happen to nodes what is due: failures by chance, their repair, and the end of a wait for one that is lost. */
final class NodeWeather {
    private final NodeRows nodes;
    private final VirtualProperties properties;

    NodeWeather(NodeRows nodes, VirtualProperties properties) {
        this.nodes = nodes;
        this.properties = properties;
    }

    void pass(Instant now) {
        nodes.repaired(now).forEach(node -> nodes.restore(node, now));
        nodes.givenUp(now).forEach(node -> nodes.delete(node, now));
        Duration mtbf = properties.nodeMtbf();
        if (mtbf == null) {
            return;
        }
        for (NodeId node : nodes.dueToFail(now)) {
            nodes.fail(node, now, now.plus(properties.lostNodeTimeout()), now.plus(properties.nodeRepair()));
        }
        for (NodeRows.Row row : nodes.withoutNextFailure()) {
            NodeId node = row.node().id();
            nodes.failsNext(node, now.plus(Outages.after(properties.seed(), node, row.outages(), mtbf)));
        }
    }
}
