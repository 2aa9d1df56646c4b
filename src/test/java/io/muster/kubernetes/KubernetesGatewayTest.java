package io.muster.kubernetes;

import static io.muster.kubernetes.support.KwokNode.node;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.muster.gateway.ClusterGateway;
import io.muster.gateway.ClusterGatewayContract;
import io.muster.gateway.ToldFacts;
import io.muster.kubernetes.support.RealCluster;
import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import io.muster.model.Resources;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Kubernetes keeps the contract, with a real API server and no more rights than {@code deploy/kubernetes/rbac.yaml}
 * gives.
 */
class KubernetesGatewayTest extends ClusterGatewayContract {

    @RegisterExtension
    static final RealCluster cluster = new RealCluster();

    private static final List<NodeId> NODES = List.of(new NodeId("contract-1"), new NodeId("contract-2"));
    private static KubernetesClient client;

    private final ToldFacts told = new ToldFacts();
    private final Map<String, Path> logs = new ConcurrentHashMap<>();
    private final ForeignWorkload foreigners = new ForeignWorkload(cluster.admin());
    private KubernetesCluster adapter;

    @BeforeAll
    static void connect() {
        Adapters.install(cluster.admin());
        client = Connection.open(cluster.configOf("muster", "muster"), Adapters.settings());
        for (var name : NODES) {
            cluster.add(node(name.value()).gpus(8).zone("z1").block("b1").rack("r1"));
        }
    }

    @AfterAll
    static void disconnect() {
        client.close();
    }

    @BeforeEach
    void start() {
        adapter = Adapters.start(client, Adapters.settings(), told);
    }

    @AfterEach
    void stop() {
        adapter.stop();
        foreigners.leave();
    }

    @Override
    protected ClusterGateway gateway() {
        return adapter.gateway();
    }

    @Override
    protected ToldFacts told() {
        return told;
    }

    @Override
    protected List<NodeId> nodes() {
        return NODES;
    }

    @Override
    protected void reconnect() {
        adapter.stop();
        adapter = Adapters.start(client, Adapters.settings(), told);
    }

    @Override
    protected void programEnds(ReplicaId replica, int exitCode) {
        cluster.pods().exit(Marks.namespace(TEAM), replica.podName(), exitCode, exitCode == 0 ? "Completed" : "Error");
    }

    @Override
    protected boolean programsPrint() {
        return cluster.pods().canLog();
    }

    @Override
    protected void programPrints(ReplicaId replica, String line) {
        Adapters.namespace(cluster.admin(), TEAM);
        var log = logs.computeIfAbsent(replica.podName(), name -> cluster.pods().openLog(Marks.namespace(TEAM), name));
        cluster.pods().log(log, line);
    }

    @Override
    protected boolean foreignersTake(NodeId node, Resources amount) {
        foreigners.take(node, amount);
        return true;
    }
}
