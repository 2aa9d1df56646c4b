package io.muster.kubernetes;

import static io.muster.kubernetes.support.KwokNode.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.muster.gateway.ClusterFact;
import io.muster.gateway.CommandOutcome;
import io.muster.gateway.ReplicaPhase;
import io.muster.gateway.ToldFacts;
import io.muster.kubernetes.support.RealCluster;
import io.muster.model.NodeId;
import io.muster.model.TeamId;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two servers on one cluster: one of them watches it, and the other takes over when it is told to. */
class DutyTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @RegisterExtension
    static final RealCluster cluster = new RealCluster();

    private final TeamId team = Attempts.someTeam();
    private final AtomicInteger onDuty = new AtomicInteger(1);
    private final ToldFacts byOne = new ToldFacts();
    private final ToldFacts byTwo = new ToldFacts();
    private KubernetesClient client;
    private KubernetesCluster one;
    private KubernetesCluster two;

    @BeforeAll
    static void prepare() {
        Adapters.install(cluster.admin());
        cluster.add(node("duty-1").gpus(8));
    }

    @BeforeEach
    void twoServers() {
        client = Connection.open(cluster.configOf("muster", "muster"), Adapters.settings());
        one = server(1, byOne);
        two = server(2, byTwo);
    }

    private KubernetesCluster server(int number, ToldFacts told) {
        var server = new KubernetesCluster(
                client,
                Adapters.MARKS,
                Adapters.settings(),
                Clock.systemUTC(),
                () -> onDuty.get() == number,
                () -> told);
        server.start();
        return server;
    }

    @AfterEach
    void stop() {
        one.stop();
        two.stop();
        client.close();
        cluster.admin()
                .pods()
                .inNamespace(Marks.namespace(team))
                .withGracePeriod(0)
                .delete();
    }

    @Test
    void onlyTheOneOnDutyTellsAndTheOtherTakesOverWithAWholeList() {
        var spec = Attempts.of(team).on("duty-1", 1).spec();
        assertThat(one.gateway().start(spec)).isEqualTo(new CommandOutcome.Done());
        byOne.awaitPhase(spec.replicas().getFirst().id(), ReplicaPhase.RUNNING, PATIENCE);
        assertThat(byTwo.all()).isEmpty();
        assertThat(two.tells()).isFalse();
        assertThat(two.gateway().health().reachable())
                .as("a server that stands by is well")
                .isTrue();

        onDuty.set(2);

        byTwo.awaitPhase(spec.replicas().getFirst().id(), ReplicaPhase.RUNNING, PATIENCE);
        await().atMost(PATIENCE)
                .until(() -> !byTwo.all(ClusterFact.FullList.class).isEmpty());
        await().atMost(PATIENCE).until(() -> !one.tells());
        byOne.forget();
        assertThat(two.gateway().stop(spec.attempt(), Duration.ofSeconds(1))).isEqualTo(new CommandOutcome.Done());
        byTwo.awaitGone(spec.replicas().getFirst().id(), PATIENCE);
        assertThat(byOne.all()).as("nothing is told twice").isEmpty();
    }

    @Test
    void whoIsRelievedInTheMidstOfTellingKeepsNothingMore() {
        await().atMost(PATIENCE)
                .until(() -> !byOne.all(ClusterFact.FullList.class).isEmpty());

        onDuty.set(0);
        await().atMost(PATIENCE).until(() -> !one.tells());
        byOne.forget();
        cluster.add(node("duty-2").gpus(8));
        onDuty.set(1);

        await().atMost(PATIENCE).until(() -> byOne.node(new NodeId("duty-2")).isPresent());
        assertThat(byTwo.all()).isEmpty();
    }
}
