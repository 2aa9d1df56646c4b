package io.muster.kubernetes;

import static io.muster.kubernetes.support.KwokNode.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.muster.gateway.AttemptSpec;
import io.muster.gateway.ClusterFact.ForeignUsage;
import io.muster.gateway.ClusterFact.NodeGone;
import io.muster.gateway.ClusterFact.NodeSeen;
import io.muster.gateway.ClusterFact.ReplicaSeen;
import io.muster.gateway.CommandOutcome;
import io.muster.gateway.ReplicaPhase;
import io.muster.gateway.ToldFacts;
import io.muster.kubernetes.support.RealCluster;
import io.muster.model.FailureClass;
import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import io.muster.model.Resources;
import io.muster.model.TeamId;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes known of nodes, of pods that come to harm, and of others on the cluster. */
class ReportingTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final NodeId NODE = new NodeId("report-1");

    @RegisterExtension
    static final RealCluster cluster = new RealCluster();

    private static final ToldFacts told = new ToldFacts();
    private static KubernetesClient client;
    private static KubernetesCluster adapter;

    private final TeamId team = Attempts.someTeam();
    private final ForeignWorkload foreigners = new ForeignWorkload(cluster.admin());

    @BeforeAll
    static void connect() {
        Adapters.install(cluster.admin());
        cluster.add(
                node("report-1").gpus(8),
                node("report-2").gpus(8).product("NVIDIA-H100-80GB-HBM3", 81559).rack("r7"));
        client = Connection.open(cluster.configOf("muster", "muster"), Adapters.settings());
        adapter = Adapters.start(client, Adapters.settings(), told);
    }

    @AfterAll
    static void disconnect() {
        adapter.stop();
        client.close();
    }

    @AfterEach
    void freeTheNodes() {
        foreigners.leave();
        cluster.admin()
                .pods()
                .inNamespace(Marks.namespace(team))
                .withGracePeriod(0)
                .delete();
    }

    // ---- how replicas end

    @Test
    void aProgramThatNeedsTooMuchMemoryIsOutOfMemory() {
        var seen = after(pod -> cluster.pods()
                .exit(pod.getMetadata().getNamespace(), pod.getMetadata().getName(), 137, "OOMKilled"));
        assertThat(seen.failure()).isEqualTo(FailureClass.OUT_OF_MEMORY);
        assertThat(seen.exitCode()).isEqualTo(137);
    }

    @Test
    void aPodThatItsNodeRejectsIsNotTheUsersFault() {
        var seen = after(pod -> cluster.pods()
                .fail(
                        pod.getMetadata().getNamespace(),
                        pod.getMetadata().getName(),
                        "UnexpectedAdmissionError",
                        "Allocate failed due to no healthy devices"));
        assertThat(seen.failure()).isEqualTo(FailureClass.ADMISSION);
        assertThat(seen.reason()).isEqualTo("UnexpectedAdmissionError");
        assertThat(seen.message()).contains("no healthy devices");
    }

    @Test
    void aPodEvictedForItsNeighboursIsLostWithItsNode() {
        var seen = after(pod -> cluster.pods()
                .fail(
                        pod.getMetadata().getNamespace(),
                        pod.getMetadata().getName(),
                        "Evicted",
                        "The node was low on resource: memory."));
        assertThat(seen.failure()).isEqualTo(FailureClass.NODE_LOST);
    }

    @Test
    void anImageThatDoesNotExistIsKnownWhileThePodStillWaits() {
        var replica = started();
        cluster.pods()
                .waits(
                        Marks.namespace(team),
                        replica.podName(),
                        "ImagePullBackOff",
                        "Back-off pulling image: manifest unknown: not found");
        var seen = await().atMost(PATIENCE).until(() -> told.replica(replica).orElseThrow(), s -> s.failure() != null);
        assertThat(seen.phase()).isEqualTo(ReplicaPhase.PULLING);
        assertThat(seen.failure()).isEqualTo(FailureClass.IMAGE);
    }

    @Test
    void whyAPodDoesNotStartIsToldFromItsEvents() {
        cluster.add(node("report-slow").gpus(8).dead());
        var spec = Attempts.of(team).on("report-slow", 1).spec();
        assertThat(adapter.gateway().start(spec)).isEqualTo(new CommandOutcome.Done());
        var replica = spec.replicas().getFirst().id();
        told.awaitPhase(replica, ReplicaPhase.PULLING, PATIENCE);
        var pod = cluster.admin()
                .pods()
                .inNamespace(Marks.namespace(team))
                .withName(replica.podName())
                .get();
        cluster.admin()
                .resource(new EventBuilder()
                        .withNewMetadata()
                        .withNamespace(Marks.namespace(team))
                        .withGenerateName("e-")
                        .endMetadata()
                        .withNewInvolvedObject()
                        .withKind("Pod")
                        .withNamespace(Marks.namespace(team))
                        .withName(replica.podName())
                        .withUid(pod.getMetadata().getUid())
                        .endInvolvedObject()
                        .withType("Warning")
                        .withReason("FailedMount")
                        .withMessage("MountVolume.SetUp failed: timed out")
                        .withLastTimestamp(pod.getMetadata().getCreationTimestamp())
                        .build())
                .create();
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(told.replica(replica).orElseThrow().message())
                                .isEqualTo("FailedMount: MountVolume.SetUp failed: timed out"));
    }

    private ReplicaSeen after(Consumer<Pod> harm) {
        var replica = started();
        harm.accept(cluster.admin()
                .pods()
                .inNamespace(Marks.namespace(team))
                .withName(replica.podName())
                .get());
        told.awaitPhase(replica, ReplicaPhase.FAILED, PATIENCE);
        return told.replica(replica).orElseThrow();
    }

    private ReplicaId started() {
        var spec = Attempts.of(team).on(NODE.value(), 1).spec();
        assertThat(adapter.gateway().start(spec)).isEqualTo(new CommandOutcome.Done());
        var replica = spec.replicas().getFirst().id();
        told.awaitPhase(replica, ReplicaPhase.RUNNING, PATIENCE);
        return replica;
    }

    // ---- proof

    @Test
    void aPodOnADeadNodeIsTerminatingUntilTheNodeIsDeleted() {
        cluster.add(node("report-dead").gpus(8).dead());
        var spec = Attempts.of(team)
                .grace(Duration.ofSeconds(1))
                .on("report-dead", 1)
                .spec();
        var replica = startedAsIf(spec);

        adapter.gateway().stop(spec.attempt(), Duration.ofSeconds(1));
        told.awaitPhase(replica, ReplicaPhase.TERMINATING, PATIENCE);
        await().during(Duration.ofSeconds(3)).atMost(PATIENCE).until(() -> !told.isGone(replica));

        cluster.admin().nodes().withName("report-dead").delete();
        await().atMost(PATIENCE)
                .until(() -> told.all(NodeGone.class).stream()
                        .anyMatch(gone -> gone.node().value().equals("report-dead")));
        cluster.admin()
                .pods()
                .inNamespace(Marks.namespace(team))
                .withName(replica.podName())
                .withGracePeriod(0)
                .delete();
        told.awaitGone(replica, PATIENCE);
    }

    /** Bound and started, as its kubelet said before it died. */
    private ReplicaId startedAsIf(AttemptSpec spec) {
        assertThat(adapter.gateway().start(spec)).isEqualTo(new CommandOutcome.Done());
        var replica = spec.replicas().getFirst().id();
        told.awaitPhase(replica, ReplicaPhase.PULLING, PATIENCE);
        cluster.pods().edit(Marks.namespace(team), replica.podName(), pod -> {
            pod.getStatus().setPhase("Running");
            pod.getStatus()
                    .setContainerStatuses(List.of(new ContainerStatusBuilder()
                            .withName(PodFactory.CONTAINER)
                            .withImage("images.example/train:1.4")
                            .withImageID("")
                            .withRestartCount(0)
                            .withReady(true)
                            .withNewState()
                            .withNewRunning()
                            .withStartedAt(pod.getMetadata().getCreationTimestamp())
                            .endRunning()
                            .endState()
                            .build()));
            return pod;
        });
        told.awaitPhase(replica, ReplicaPhase.RUNNING, PATIENCE);
        return replica;
    }

    // ---- nodes

    @Test
    void labelsTaintsCordonsAndConditionsOfANodeAreTold() {
        var name = "report-2";
        assertThat(awaitNode(name, NodeSeen::ready).labels())
                .containsEntry("nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3")
                .containsEntry("network.topology.nvidia.com/rack", "r7");

        cluster.editNode(name, n -> {
            n.getSpec().setUnschedulable(true);
            return n;
        });
        assertThat(awaitNode(name, NodeSeen::unschedulable).taints())
                .anySatisfy(taint -> assertThat(taint.key()).isEqualTo("node.kubernetes.io/unschedulable"));

        cluster.editNodeStatus(name, n -> {
            n.getStatus()
                    .getConditions()
                    .add(new NodeConditionBuilder()
                            .withType("GpuXidError")
                            .withStatus("True")
                            .withMessage("Xid 79 on GPU 3")
                            .build());
            n.getStatus().getAllocatable().put("nvidia.com/gpu", new Quantity("7"));
            return n;
        });
        var sick = awaitNode(name, seen -> !seen.badConditions().isEmpty());
        assertThat(sick.badConditions()).containsExactly("GpuXidError: Xid 79 on GPU 3");
        assertThat(sick.allocatable())
                .containsEntry("nvidia.com/gpu", 7L)
                .containsEntry("cpu", 64_000L)
                .containsEntry("memory", 512L << 30);
    }

    private static NodeSeen awaitNode(String name, Predicate<NodeSeen> condition) {
        return await().atMost(PATIENCE)
                .until(() -> told.node(new NodeId(name)).orElse(null), seen -> seen != null && condition.test(seen));
    }

    // ---- others

    @Test
    void whatOthersHoldGrowsAndShrinksWithTheirPods() {
        var one = foreigners.take(NODE, new Resources(2, 1000, 1L << 30));
        foreigners.take(NODE, new Resources(1, 500, 1L << 30));
        awaitForeign(new Resources(3, 1500, 2L << 30));

        cluster.pods().exit("default", one.getMetadata().getName(), 0, "Completed");
        awaitForeign(new Resources(1, 500, 1L << 30));
        foreigners.leave();
        awaitForeign(Resources.NONE);
    }

    @Test
    void podsOfAnotherInstallationAreOthers() {
        var foreign = new KubernetesCluster(
                client, new Marks("another"), Adapters.settings(), java.time.Clock.systemUTC(), () -> true, () -> told);
        var spec = Attempts.of(team)
                .on(NODE.value(), new Resources(4, 1000, 1L << 30))
                .spec();
        assertThat(foreign.gateway().start(spec)).isEqualTo(new CommandOutcome.Done());
        awaitForeign(new Resources(4, 1000, 1L << 30));
        assertThat(told.replica(spec.replicas().getFirst().id())).isEmpty();

        // And they are nobody's to stop but that installation's.
        adapter.gateway().stop(spec.attempt(), Duration.ofSeconds(1));
        assertThat(cluster.admin()
                        .pods()
                        .inNamespace(Marks.namespace(team))
                        .withName(spec.replicas().getFirst().id().podName())
                        .get()
                        .getMetadata()
                        .getDeletionTimestamp())
                .isNull();
    }

    private static void awaitForeign(Resources amount) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(told.last(
                                        ForeignUsage.class,
                                        usage -> usage.node().equals(NODE))
                                .map(ForeignUsage::used))
                        .contains(amount));
    }
}
