package io.muster.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.muster.gateway.AttemptSpec.Checkpointing;
import io.muster.gateway.AttemptSpec.ReplicaSpec;
import io.muster.model.AttemptId;
import io.muster.model.CheckpointWay;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PodProfile;
import io.muster.model.PoolId;
import io.muster.model.ReplicaId;
import io.muster.model.Resources;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What every cluster must do, whoever plays it. A subclass provides the cluster; its own tests may say more.
 * No test relies on a pod being quick, only on its coming to where it must within {@link #patience()}.
 */
public abstract class ClusterGatewayContract {

    private static final AtomicLong JOBS = new AtomicLong(1000);

    /** Not the same as in an earlier run, which may have left something behind on a cluster that outlives the tests. */
    protected static final TeamId TEAM = new TeamId(UUID.randomUUID());

    private final List<AttemptId> started = new ArrayList<>();

    /** The cluster under test, connected and telling {@link #told()}. */
    protected abstract ClusterGateway gateway();

    /** What it told since this test began. */
    protected abstract ToldFacts told();

    /** At least two nodes, ready, each with 8 free GPUs of {@link #gpuResource()}. */
    protected abstract List<NodeId> nodes();

    /** The connection is lost and found, or the server restarted: whoever told forgets what it told. */
    protected abstract void reconnect();

    /** The program of a running replica ends. */
    protected abstract void programEnds(ReplicaId replica, int exitCode);

    /** The program of a replica prints a line; may be called before the replica runs. */
    protected abstract void programPrints(ReplicaId replica, String line);

    /** Someone else takes this much of a node, of which Muster is to be told; false where there is no "else". */
    protected abstract boolean foreignersTake(NodeId node, Resources amount);

    /** Whether {@link #programPrints} works here. */
    protected boolean programsPrint() {
        return true;
    }

    protected String gpuResource() {
        return "nvidia.com/gpu";
    }

    protected Duration patience() {
        return Duration.ofSeconds(30);
    }

    @AfterEach
    void stopEverything() {
        started.forEach(attempt -> gateway().stop(attempt, Duration.ZERO));
    }

    // ---- starting

    @Test
    void oneReplicaRunsOnItsNode() {
        var spec = attempt(2, 1);
        startAndRun(spec);
        var seen = told().replica(spec.replicas().getFirst().id()).orElseThrow();
        assertThat(seen.node()).isEqualTo(nodes().getFirst());
        assertThat(seen.failure()).isNull();
        assertThat(seen.exitCode()).isNull();
    }

    @Test
    void everyReplicaOfAGangRunsOnItsOwnNode() {
        var spec = attempt(4, 4);
        startAndRun(spec);
        for (var replica : spec.replicas()) {
            assertThat(told().replica(replica.id()).orElseThrow().node()).isEqualTo(replica.node());
        }
    }

    @Test
    void manyAreStartedAndStoppedInOneCallEachForItself() {
        var one = attempt(2, 1);
        var other = attempt(2, 2);
        startAndRun(one);
        started.add(other.attempt());
        var done = List.<CommandOutcome>of(new CommandOutcome.Done(), new CommandOutcome.Done());

        assertThat(gateway().start(List.of(one, other))).isEqualTo(done);
        awaitRunning(other);
        assertThat(told().all(ClusterFact.ReplicaGone.class)).isEmpty();

        var graces = new LinkedHashMap<AttemptId, Duration>();
        graces.put(other.attempt(), Duration.ZERO);
        graces.put(new AttemptId(new JobId(JOBS.incrementAndGet()), 1), Duration.ZERO);
        assertThat(gateway().stop(graces)).isEqualTo(done);
        ids(other).forEach(id -> told().awaitGone(id, patience()));
        assertThat(awaitListAfter(Instant.now()).replicas()).containsAll(ids(one));
    }

    @Test
    void startingTwiceChangesNothing() {
        var spec = attempt(8, 2);
        startAndRun(spec);
        told().forget();

        assertThat(start(spec)).isEqualTo(new CommandOutcome.Done());
        var list = awaitListAfter(Instant.now());
        assertThat(list.replicas()).containsAll(ids(spec));
        assertThat(told().all(ClusterFact.ReplicaGone.class))
                .noneMatch(gone -> ids(spec).contains(gone.replica()));
        assertThat(told().all(ClusterFact.ReplicaSeen.class))
                .filteredOn(seen -> ids(spec).contains(seen.replica()))
                .allMatch(seen -> seen.phase() == ReplicaPhase.RUNNING);
    }

    @Test
    void aNodeThatDoesNotExistIsRefusedOrFails() {
        var job = new JobId(JOBS.incrementAndGet());
        var replica = replica(new AttemptId(job, 1), 0, new NodeId("no-such-node"), 1, Map.of());
        var spec = attempt(new AttemptId(job, 1), List.of(replica));
        switch (start(spec)) {
            case CommandOutcome.Refused refused ->
                assertThat(refused.failure()).isIn(FailureClass.NODE_LOST, FailureClass.ADMISSION);
            case CommandOutcome.Done _ ->
                await().atMost(patience())
                        .until(() -> told().replica(replica.id())
                                .map(seen -> seen.failure() != null)
                                .orElse(false));
            case CommandOutcome.Later later ->
                throw new AssertionError("a node that does not exist will not come: " + later);
        }
    }

    @Test
    void theNextAttemptOfAJobIsAnotherOne() {
        var first = attempt(1, 1);
        startAndRun(first);
        gateway().stop(first.attempt(), Duration.ofSeconds(1));

        var next = new AttemptId(first.attempt().job(), 2);
        var second = attempt(next, List.of(replica(next, 0, nodes().getLast(), 1, Map.of())));
        startAndRun(second);
        told().awaitGone(first.replicas().getFirst().id(), patience());
        assertThat(told().isGone(second.replicas().getFirst().id())).isFalse();
    }

    // ---- ending

    @Test
    void stoppedReplicasAreProvenGone() {
        var spec = attempt(4, 4);
        startAndRun(spec);
        assertThat(gateway().stop(spec.attempt(), Duration.ofSeconds(2))).isEqualTo(new CommandOutcome.Done());
        ids(spec).forEach(id -> told().awaitGone(id, patience()));
        assertThat(awaitListAfter(Instant.now()).replicas()).doesNotContainAnyElementsOf(ids(spec));
    }

    @Test
    void stoppingAgainAndStoppingNothingAreDone() {
        var spec = attempt(1, 1);
        startAndRun(spec);
        gateway().stop(spec.attempt(), Duration.ofSeconds(2));
        assertThat(gateway().stop(spec.attempt(), Duration.ofSeconds(2))).isEqualTo(new CommandOutcome.Done());
        told().awaitGone(spec.replicas().getFirst().id(), patience());
        assertThat(gateway().stop(spec.attempt(), Duration.ofSeconds(2))).isEqualTo(new CommandOutcome.Done());
        assertThat(gateway().stop(new AttemptId(new JobId(JOBS.incrementAndGet()), 1), Duration.ofSeconds(2)))
                .isEqualTo(new CommandOutcome.Done());
    }

    @Test
    void aProgramThatEndsWellSucceeds() {
        var seen = endOf(0, ReplicaPhase.SUCCEEDED);
        assertThat(seen.exitCode()).isZero();
        assertThat(seen.failure()).isIn(null, FailureClass.SUCCESS);
    }

    @Test
    void aProgramThatFailsIsAUserError() {
        var seen = endOf(3, ReplicaPhase.FAILED);
        assertThat(seen.exitCode()).isEqualTo(3);
        assertThat(seen.failure()).isEqualTo(FailureClass.USER_ERROR);
    }

    private ClusterFact.ReplicaSeen endOf(int exitCode, ReplicaPhase phase) {
        var spec = attempt(1, 1);
        var id = spec.replicas().getFirst().id();
        startAndRun(spec);
        programEnds(id, exitCode);
        told().awaitPhase(id, phase, patience());
        return told().replica(id).orElseThrow();
    }

    // ---- signals

    @Test
    void aSignalByFileReachesARunningAttemptAndMayBeRepeated() {
        var spec = attempt(1, 2);
        startAndRun(spec);
        var signal = new CheckpointSignal(UUID.randomUUID(), true, Instant.now().plusSeconds(60));
        assertThat(gateway().signal(spec.attempt(), signal)).isEqualTo(new CommandOutcome.Done());
        assertThat(gateway().signal(spec.attempt(), signal)).isEqualTo(new CommandOutcome.Done());
    }

    // ---- being told

    @Test
    void nodesAreToldWithWhatTheyOfferAndWhereTheyAre() {
        for (var node : nodes()) {
            await().atMost(patience()).until(() -> told().node(node).isPresent());
            var seen = told().node(node).orElseThrow();
            assertThat(seen.ready()).isTrue();
            assertThat(seen.unschedulable()).isFalse();
            assertThat(seen.allocatable()).containsEntry(gpuResource(), 8L);
            assertThat(seen.allocatable().get("cpu")).isGreaterThanOrEqualTo(1000L);
            assertThat(seen.allocatable().get("memory")).isGreaterThan(1L << 30);
            assertThat(seen.labels()).isNotEmpty();
        }
        assertThat(awaitListAfter(Instant.EPOCH).nodes()).containsAll(nodes());
    }

    @Test
    void afterAReconnectEverythingIsToldAgain() {
        var spec = attempt(4, 2);
        startAndRun(spec);
        told().forget();

        reconnect();
        awaitRunning(spec);
        assertThat(awaitListAfter(Instant.EPOCH).replicas()).containsAll(ids(spec));
        nodes().forEach(node ->
                await().atMost(patience()).until(() -> told().node(node).isPresent()));
    }

    @Test
    void whatTheObserverCouldNotKeepIsToldAgain() {
        var spec = attempt(1, 1);
        told().failNext(3);
        startAndRun(spec);
        await().atMost(patience()).until(() -> told().hasFailed());
        awaitRunning(spec);
    }

    @Test
    void whatOthersHoldOfANodeIsTold() {
        var node = nodes().getLast();
        var taken = new Resources(3, 2000, 4L << 30);
        assumeTrue(foreignersTake(node, taken), "nobody else is on this cluster");
        await().atMost(patience())
                .until(() -> told().last(
                                ClusterFact.ForeignUsage.class,
                                usage -> usage.node().equals(node))
                        .filter(usage ->
                                taken.fitsIn(usage.used()) && usage.used().gpus() == 3)
                        .isPresent());
    }

    @Test
    void printedLinesAreToldInOrderAndNumberedTheSameAfterAReconnect() {
        assumeTrue(programsPrint(), "programs do not print on this cluster");
        var spec = attempt(1, 1);
        var id = spec.replicas().getFirst().id();
        programPrints(id, "step 1");
        startAndRun(spec);
        programPrints(id, "step 2");
        await().atMost(patience()).until(() -> told().lines(id).containsAll(List.of("step 1", "step 2")));
        var before = told().lines(id);

        reconnect();
        programPrints(id, "step 3");
        await().atMost(patience()).until(() -> told().lines(id).contains("step 3"));
        var after = told().lines(id);
        assertThat(after.subList(0, before.size())).isEqualTo(before);
        assertThat(after).containsSubsequence("step 1", "step 2", "step 3").doesNotHaveDuplicates();
    }

    @Test
    void aConnectedClusterSaysSo() {
        await().atMost(patience()).until(() -> gateway().health().reachable());
        assertThat(gateway().health().lastHeard()).isNotNull();
    }

    // ---- helpers

    /** A new attempt of equal replicas, spread over the nodes in turn. */
    protected AttemptSpec attempt(int gpusEach, int replicas) {
        var attempt = new AttemptId(new JobId(JOBS.incrementAndGet()), 1);
        return attempt(
                attempt,
                IntStream.range(0, replicas)
                        .mapToObj(i ->
                                replica(attempt, i, nodes().get(i % nodes().size()), gpusEach, Map.of("LR", "3e-4")))
                        .toList());
    }

    protected ReplicaSpec replica(AttemptId attempt, int index, NodeId node, int gpus, Map<String, String> env) {
        return new ReplicaSpec(
                new ReplicaId(attempt, "worker", index),
                node,
                new Resources(gpus, 1000, 1L << 30),
                64L << 20,
                "images.example/train:1.4",
                List.of("torchrun", "train.py"),
                null,
                env,
                List.of(new AttemptSpec.Mount.Scratch(1L << 30, "/scratch")));
    }

    protected AttemptSpec attempt(AttemptId attempt, List<ReplicaSpec> replicas) {
        return new AttemptSpec(
                attempt,
                TEAM,
                new TeamPath("research/vision"),
                "contract",
                new PoolId("h100"),
                gpuResource(),
                PodProfile.SHIPPED,
                replicas,
                new Checkpointing(CheckpointWay.FILE, Duration.ofSeconds(20), Duration.ofMinutes(30), "/vision/ckpt"),
                null,
                null,
                "not-a-real-token",
                "http://muster.example");
    }

    protected CommandOutcome start(AttemptSpec spec) {
        started.add(spec.attempt());
        return gateway().start(spec);
    }

    protected void startAndRun(AttemptSpec spec) {
        assertThat(start(spec)).isEqualTo(new CommandOutcome.Done());
        awaitRunning(spec);
    }

    protected void awaitRunning(AttemptSpec spec) {
        ids(spec).forEach(id -> told().awaitPhase(id, ReplicaPhase.RUNNING, patience()));
    }

    protected static List<ReplicaId> ids(AttemptSpec spec) {
        return spec.replicas().stream().map(ReplicaSpec::id).toList();
    }

    /** A list that was made later than this. */
    private ClusterFact.FullList awaitListAfter(Instant time) {
        await().atMost(patience().multipliedBy(2))
                .until(() -> told().last(
                                ClusterFact.FullList.class, list -> list.at().isAfter(time))
                        .isPresent());
        return told().last(ClusterFact.FullList.class, list -> list.at().isAfter(time))
                .orElseThrow();
    }
}
