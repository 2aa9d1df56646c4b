package io.muster.virtual;

import io.muster.gateway.AttemptSpec.ReplicaSpec;
import io.muster.gateway.ClusterGateway;
import io.muster.gateway.ClusterGatewayContract;
import io.muster.gateway.ToldFacts;
import io.muster.model.AttemptId;
import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import io.muster.model.Resources;
import io.muster.simulation.FleetNode;
import io.muster.support.Database;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The virtual cluster as every cluster must be: a fresh one for each test, by the system's clock. */
class VirtualClusterContractTest extends ClusterGatewayContract {
    private final Database database = Database.fresh();
    private final ToldFacts told = new ToldFacts();
    private final List<FleetNode> fleet = Rows.fleet(4);
    private VirtualParts parts = Rows.parts(database, Clock.systemUTC(), told);

    @BeforeEach
    void startCluster() {
        parts.become(fleet);
        parts.host().start();
    }

    /** The database stays open: the contract stops its attempts after this. */
    @AfterEach
    void stopCluster() {
        parts.host().stop();
    }

    @Override
    protected ClusterGateway gateway() {
        return parts.cluster();
    }

    @Override
    protected ToldFacts told() {
        return told;
    }

    @Override
    protected List<NodeId> nodes() {
        return fleet.stream().map(FleetNode::id).toList();
    }

    @Override
    protected void reconnect() {
        parts.host().stop();
        parts = Rows.parts(database, Clock.systemUTC(), told);
        parts.host().start();
    }

    @Override
    protected void programEnds(ReplicaId replica, int exitCode) {
        parts.fleet().end(replica, exitCode);
    }

    @Override
    protected void programPrints(ReplicaId replica, String line) {
        throw new UnsupportedOperationException("virtual programs print what the model says");
    }

    @Override
    protected boolean programsPrint() {
        return false;
    }

    @Override
    protected boolean foreignersTake(NodeId node, Resources amount) {
        parts.become(fleet.stream()
                .map(each -> each.id().equals(node) ? Rows.withForeign(each, amount) : each)
                .toList());
        return true;
    }

    /** Images come at once, so that the tests need not wait. */
    @Override
    protected ReplicaSpec replica(AttemptId attempt, int index, NodeId node, int gpus, Map<String, String> env) {
        var quick = new HashMap<>(env);
        quick.put("VIRTUAL_PULL", "0s");
        quick.put("VIRTUAL_START", "100ms");
        quick.put("VIRTUAL_SAVE", "100ms");
        return super.replica(attempt, index, node, gpus, quick);
    }
}
