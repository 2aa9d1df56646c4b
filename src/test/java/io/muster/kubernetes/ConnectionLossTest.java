package io.muster.kubernetes;

import static io.muster.kubernetes.support.KwokNode.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.muster.gateway.AttemptSpec;
import io.muster.gateway.ClusterFact.ReplicaGone;
import io.muster.gateway.CommandOutcome;
import io.muster.gateway.ReplicaPhase;
import io.muster.gateway.ToldFacts;
import io.muster.kubernetes.support.RealCluster;
import io.muster.kubernetes.support.Wire;
import io.muster.model.ReplicaId;
import io.muster.model.TeamId;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The API server is away, or answers too late, or its watches have died without a sound. */
class ConnectionLossTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final CommandOutcome DONE = new CommandOutcome.Done();

    @RegisterExtension
    static final RealCluster cluster = new RealCluster();

    private final TeamId team = Attempts.someTeam();
    private final ToldFacts told = new ToldFacts();
    private Wire wire;
    private KubernetesClient client;
    private KubernetesCluster adapter;

    @BeforeAll
    static void prepare() {
        Adapters.install(cluster.admin());
        cluster.add(node("loss-1").gpus(8), node("loss-2").gpus(8));
    }

    @BeforeEach
    void connect() throws IOException {
        var direct = cluster.adminConfig();
        var url = URI.create(direct.getMasterUrl());
        wire = new Wire(url.getHost(), url.getPort());
        var config = new ConfigBuilder(direct)
                .withMasterUrl("https://127.0.0.1:" + wire.port())
                .withTrustCerts(true)
                .withDisableHostnameVerification(true)
                .build();
        client = Connection.open(config, Adapters.settings());
        adapter = Adapters.start(client, Adapters.settings(), told);
        await().atMost(PATIENCE).until(() -> adapter.gateway().health().reachable());
    }

    @AfterEach
    void disconnect() throws IOException {
        wire.mend();
        adapter.stop();
        client.close();
        wire.close();
        cluster.admin()
                .pods()
                .inNamespace(Marks.namespace(team))
                .withGracePeriod(0)
                .delete();
    }

    @Test
    void whatWasDoneUnheardIsFoundAndNotDoneTwice() {
        var first = Attempts.of(team).on("loss-1", 1).on("loss-2", 1).spec();
        assertThat(adapter.gateway().start(first)).isEqualTo(DONE);
        var spec = Attempts.of(team).on("loss-1", 1).on("loss-2", 1).spec();

        wire.noAnswers();
        assertThat(adapter.gateway().start(spec)).isInstanceOf(CommandOutcome.Later.class);
        wire.mend();
        assertThat(startUntilDone(spec)).isEqualTo(DONE);

        spec.replicas().forEach(replica -> told.awaitPhase(replica.id(), ReplicaPhase.RUNNING, PATIENCE));
        assertThat(cluster.admin()
                        .pods()
                        .inNamespace(Marks.namespace(team))
                        .withLabels(Adapters.MARKS.selectorOf(spec.attempt()))
                        .list()
                        .getItems())
                .hasSize(2);
    }

    @Test
    void whileTheApiServerIsAwayNothingIsGoneAndAfterwardsAllIsTold() {
        var kept = run(Attempts.of(team).on("loss-1", 1).spec());
        var ended = run(Attempts.of(team).on("loss-2", 1).spec());
        var deleted = run(Attempts.of(team).on("loss-2", 1).spec());

        wire.cut();
        cluster.pods().exit(Marks.namespace(team), ended.podName(), 3, "Error");
        cluster.admin()
                .pods()
                .inNamespace(Marks.namespace(team))
                .withName(deleted.podName())
                .delete();
        assertThat(adapter.gateway().stop(kept.attempt(), Duration.ofSeconds(1)))
                .isInstanceOf(CommandOutcome.Later.class);
        await().atMost(PATIENCE).until(() -> !adapter.gateway().health().reachable());
        assertThat(told.all(ReplicaGone.class)).isEmpty();
        assertThat(told.replica(ended).orElseThrow().phase()).isEqualTo(ReplicaPhase.RUNNING);

        wire.mend();
        told.awaitPhase(ended, ReplicaPhase.FAILED, PATIENCE);
        told.awaitGone(deleted, PATIENCE);
        await().atMost(PATIENCE).until(() -> adapter.gateway().health().reachable());
        assertThat(told.isGone(kept)).isFalse();
    }

    @Test
    void watchesThatDiedWithoutASoundAreNoticedAndReplaced() {
        var before = run(Attempts.of(team).on("loss-1", 1).spec());
        wire.deafen();
        cluster.pods().exit(Marks.namespace(team), before.podName(), 3, "Error");
        told.awaitPhase(before, ReplicaPhase.FAILED, PATIENCE);
        await().atMost(PATIENCE).until(() -> adapter.watchesReplaced() > 0);

        var after = Attempts.of(team).on("loss-2", 1).spec();
        startUntilDone(after);
        told.awaitPhase(after.replicas().getFirst().id(), ReplicaPhase.RUNNING, PATIENCE);
    }

    @Test
    void aServerThatStartsWhileTheApiServerIsAwayCatchesUp() {
        var replica = run(Attempts.of(team).on("loss-1", 1).spec());
        adapter.stop();
        wire.cut();
        told.forget();
        adapter = Adapters.start(client, Adapters.settings(), told);
        await().during(Duration.ofSeconds(2))
                .atMost(PATIENCE)
                .until(() -> told.all().isEmpty());
        assertThat(adapter.gateway().health().reachable()).isFalse();
        assertThat(adapter.gateway().health().detail()).startsWith("never connected");

        wire.mend();
        told.awaitPhase(replica, ReplicaPhase.RUNNING, PATIENCE);
        await().atMost(PATIENCE).until(() -> adapter.gateway().health().reachable());
        var next = Attempts.of(team).on("loss-1", 1).spec();
        assertThat(startUntilDone(next)).isEqualTo(DONE);
        told.awaitPhase(next.replicas().getFirst().id(), ReplicaPhase.RUNNING, PATIENCE);
    }

    private ReplicaId run(AttemptSpec spec) {
        assertThat(adapter.gateway().start(spec)).isEqualTo(DONE);
        var replica = spec.replicas().getFirst().id();
        told.awaitPhase(replica, ReplicaPhase.RUNNING, PATIENCE);
        return replica;
    }

    /** As dispatch does: again while the answer is "later". */
    private CommandOutcome startUntilDone(AttemptSpec spec) {
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> adapter.gateway().start(spec), outcome -> !(outcome instanceof CommandOutcome.Later));
    }
}
