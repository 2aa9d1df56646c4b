package io.muster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.muster.gateway.ClusterFact;
import io.muster.gateway.ClusterFact.ForeignUsage;
import io.muster.gateway.ClusterFact.FullList;
import io.muster.gateway.ClusterFact.NodeGone;
import io.muster.gateway.ClusterFact.NodeSeen;
import io.muster.gateway.ClusterFact.ReplicaGone;
import io.muster.gateway.ClusterFact.ReplicaSeen;
import io.muster.gateway.ReplicaPhase;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Watches and lists in every awkward order: neither is always the newer one. */
class PictureTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private final List<ClusterFact> told = new ArrayList<>();
    private boolean full;
    private final Picture picture = new Picture(
            Adapters.MARKS,
            new ReplicaFacts(Adapters.settings().bindTimeout(), _ -> Optional.empty()),
            new Quantities(Adapters.settings().gpuResources()),
            Clock.fixed(NOW, ZoneOffset.UTC),
            fact -> !full && told.add(fact));

    @Test
    void aListThatWasReadEarlierDoesNotUndoWhatAWatchTold() {
        picture.beginList();
        picture.seen(running("a", 5));
        picture.endList(List.of(), List.of(pending("a", 3)), Optional.of(List.of()), NOW);
        assertThat(all(ReplicaSeen.class)).extracting(ReplicaSeen::phase).containsOnly(ReplicaPhase.RUNNING);
    }

    @Test
    void whatGoesWhileAListIsUnderWayStaysGone() {
        picture.seen(running("a", 5));
        picture.beginList();
        picture.gone(running("a", 6));
        picture.endList(List.of(), List.of(running("a", 5)), Optional.of(List.of()), NOW);
        assertThat(told.getLast())
                .isInstanceOfSatisfying(
                        FullList.class, list -> assertThat(list.replicas()).isEmpty());
        assertThat(told.get(told.size() - 2)).isInstanceOf(ReplicaGone.class);
    }

    @Test
    void whatComesWhileAListIsUnderWayIsNotMissing() {
        picture.beginList();
        picture.seen(running("a", 5));
        picture.endList(List.of(), List.of(), Optional.of(List.of()), NOW);
        assertThat(all(ReplicaGone.class)).isEmpty();
        assertThat(all(FullList.class).getLast().replicas()).hasSize(1);
    }

    @Test
    void aDeletionThatNoWatchToldIsFoundByTheNextList() {
        picture.seen(running("a", 5));
        picture.seen(node("n1", 5));
        list(List.of(), List.of());
        assertThat(all(ReplicaGone.class)).hasSize(1);
        assertThat(all(NodeGone.class)).hasSize(1);
    }

    @Test
    void aFailedListProvesNothing() {
        picture.seen(running("a", 5));
        picture.beginList();
        picture.abandonList();
        assertThat(all(ReplicaGone.class)).isEmpty();
    }

    @Test
    void whatOthersHoldIsNotToldBeforeAllOfThemAreKnown() {
        picture.seen(node("n1", 1));
        picture.seen(foreign("x", 2, "n1", "Running"));
        assertThat(all(ForeignUsage.class)).isEmpty();

        picture.beginList();
        picture.endList(
                List.of(node("n1", 1)),
                List.of(),
                Optional.of(List.of(foreign("x", 2, "n1", "Running"), foreign("y", 2, "n1", "Running"))),
                NOW);
        assertThat(all(ForeignUsage.class).getFirst().used().gpus()).isEqualTo(2);
    }

    @Test
    void anotherPodThatEndsWhileAListIsUnderWayHoldsNothingAfterwards() {
        list(List.of(node("n1", 1)), List.of());
        picture.seen(foreign("x", 2, "n1", "Running"));
        picture.beginList();
        picture.seen(foreign("x", 4, "n1", "Succeeded"));
        picture.endList(List.of(node("n1", 1)), List.of(), Optional.of(List.of(foreign("x", 2, "n1", "Running"))), NOW);
        assertThat(all(ForeignUsage.class).getLast().used().gpus()).isZero();
    }

    @Test
    void nodesAreToldAgainOnlyWhenTheyChanged() {
        picture.seen(node("n1", 1));
        picture.seen(node("n1", 2));
        assertThat(all(NodeSeen.class)).hasSize(1);
        var cordoned = node("n1", 3);
        cordoned.getSpec().setUnschedulable(true);
        picture.seen(cordoned);
        assertThat(all(NodeSeen.class)).hasSize(2);
    }

    @Test
    void whatDidNotFitIntoTheQueueIsToldAfterTheNextList() {
        list(List.of(), List.of());
        full = true;
        picture.seen(node("n1", 1));
        picture.seen(running("a", 2));
        full = false;
        picture.beginList();
        picture.endList(List.of(node("n1", 1)), List.of(running("a", 2)), Optional.empty(), NOW);
        assertThat(all(NodeSeen.class)).hasSize(1);
        assertThat(all(ForeignUsage.class)).hasSize(1);
        assertThat(all(ReplicaSeen.class)).hasSize(1);
    }

    @Test
    void aPodOfTheSameNameButAnotherUidIsANewOne() {
        picture.seen(running("a", 5));
        var again = running("a", 4);
        again.getMetadata().setUid("another");
        picture.seen(again);
        picture.gone(running("a", 6));
        assertThat(all(ReplicaGone.class)).isEmpty();
    }

    private void list(List<Node> nodes, List<Pod> ours) {
        picture.beginList();
        picture.endList(nodes, ours, Optional.of(List.of()), NOW);
    }

    private <F extends ClusterFact> List<F> all(Class<F> kind) {
        return told.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private static Pod running(String uid, int version) {
        var pod = pending(uid, version);
        pod.getSpec().setNodeName("n1");
        pod.setStatus(new PodBuilder()
                .withNewStatus()
                .withPhase("Running")
                .addNewContainerStatus()
                .withName("main")
                .withNewState()
                .withNewRunning()
                .withStartedAt("2026-01-02T03:00:01Z")
                .endRunning()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build()
                .getStatus());
        return pod;
    }

    private static Pod pending(String uid, int version) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("j1-a1-worker-0")
                .withUid(uid)
                .withResourceVersion(Integer.toString(version))
                .withCreationTimestamp("2026-01-02T03:00:00Z")
                .addToLabels(Adapters.MARKS.selectorOf(new io.muster.model.AttemptId(new io.muster.model.JobId(1), 1)))
                .addToLabels(Map.of(Marks.GROUP, "worker", Marks.INDEX, "0"))
                .addToAnnotations(Marks.NODE, "n1")
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .withPhase("Pending")
                .endStatus()
                .build();
    }

    private static Pod foreign(String uid, int version, String node, String phase) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(uid)
                .withUid(uid)
                .withResourceVersion(Integer.toString(version))
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .addNewContainer()
                .withNewResources()
                .addToRequests("nvidia.com/gpu", new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase(phase)
                .endStatus()
                .build();
    }

    private static Node node(String name, int version) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withUid(name)
                .withResourceVersion(Integer.toString(version))
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .addToAllocatable("nvidia.com/gpu", new Quantity("8"))
                .endStatus()
                .build();
    }
}
