package io.muster.scheduling;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Reason;
import io.muster.model.Remedy;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import io.muster.model.Slices;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Node;
import io.muster.scheduling.build.Planned;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** "Each 8 replicas in one nvlink domain, slices in one block." Nodes are named after their rack: a1, a2, b1. */
class SlicesTest {
    private static final List<String> POOLS = List.of("gpu");

    /** Two blocks of two racks, each of two nodes of 4 GPUs. */
    private static Cluster blocks() {
        return cluster()
                .pool("gpu", "block", "rack", "node")
                .rack("b1/r1", four("a", 2))
                .rack("b1/r2", four("b", 2))
                .rack("b2/r1", four("c", 2))
                .rack("b2/r2", four("d", 2))
                .team("t");
    }

    private static Node[] four(String prefix, int count) {
        var some = nodes(prefix, count);
        for (var each : some) {
            each.gpus(4);
        }
        return some;
    }

    /** The racks of each slice, as one word: "a" when it lies whole in rack a. */
    private static List<String> racks(List<ReplicaPlacement> placements, String group, int size) {
        var own = placements.stream().filter(p -> p.group().equals(group)).toList();
        var racks = new ArrayList<String>();
        for (int first = 0; first < own.size(); first += size) {
            racks.add(own.subList(first, first + size).stream()
                    .map(p -> p.node().value().substring(0, 1))
                    .distinct()
                    .sorted()
                    .reduce("", String::concat));
        }
        return racks;
    }

    private static List<String> racks(Planned planned, int size) {
        return racks(planned.start(1).placements(), "main", size);
    }

    @Test
    void eachSliceLiesWholeInOneDomainOfItsLevel() {
        var planned = blocks().jobs(
                        job(91).team("t").gpus(3).on("a1"), // 5 are free in rack a, 8 in rack b
                        job(92).team("t").gpus(4).on("c1"),
                        job(93).team("t").gpus(4).on("d1"),
                        job(1).team("t").replicas(12).slices(4, "rack").require("block"))
                .plan();
        assertThat(racks(planned, 4)).containsExactly("a", "b", "b");
    }

    @Test
    void slicesArePackedIntoTheFewestDomains() {
        var planned =
                blocks().jobs(job(1).team("t").replicas(8).slices(4, "node")).plan();
        assertThat(planned.start(1).level()).isEqualTo("rack");
        assertThat(new HashSet<>(planned.nodesOf(1))).hasSize(2);
    }

    @Test
    void theFullestDomainThatHoldsTheSlicesIsTaken() {
        var planned = blocks().jobs(
                        job(91).team("t").gpus(1).on("c1"), // block 2 is fuller, and still holds two slices of 6
                        job(1).team("t").replicas(12).slices(6, "rack").require("block"))
                .plan();
        assertThat(planned.start(1).domain()).hasToString("b2");
        assertThat(racks(planned, 6)).containsExactly("c", "d");
    }

    @Test
    void slicesAreSplitEvenly() {
        var planned = blocks().jobs(
                        job(1).team("t").replicas(12).slices(2, "node").require("block"))
                .plan();
        assertThat(racks(planned, 2)).containsExactly("a", "a", "a", "b", "b", "b");
    }

    @Test
    void aGangWaitsAndSaysHowManySlicesFit() {
        var planned = blocks().jobs(
                        job(91).team("t").gpus(1).on("a1"),
                        job(92).team("t").gpus(1).on("b1"),
                        job(93).team("t").gpus(1).on("c1"),
                        job(1).team("t").replicas(16).slices(8, "rack").require("block"))
                .plan();
        assertThat(planned.started()).isEmpty();
        var reason = planned.reason(1, Reason.Topology.class);
        assertThat(reason.slices()).isEqualTo(new Slices(8, "rack"));
        assertThat(reason.replicasWanted()).isEqualTo(16);
        assertThat(reason.replicasFit()).isEqualTo(8);
        assertThat(reason.level()).isEqualTo("block");
        assertThat(reason.best()).hasToString("b2");
    }

    @Test
    void slicesAloneAreAReasonAndTheirEndARemedy() {
        var planned = blocks().jobs(
                        job(91).team("t").gpus(2).on("a1"),
                        job(92).team("t").gpus(2).on("b1"),
                        job(93).team("t").gpus(2).on("c1"),
                        job(94).team("t").gpus(2).on("d1"),
                        job(1).team("t").replicas(14).slices(7, "rack"))
                .plan();
        var reason = planned.reason(1, Reason.Topology.class);
        assertThat(reason.level()).isEqualTo("rack");
        assertThat(reason.replicasFit()).isZero();
        assertThat(Explainer.remedies(planned.snapshot(), job(1).jobId(), List.of()))
                .contains(new Remedy.WithoutSlices(4));
    }

    @Test
    void fewerReplicasAreOfferedInWholeSlices() {
        var base = blocks().jobs(
                        job(91).team("t").gpus(1).on("a1"),
                        job(92).team("t").gpus(1).on("b1"),
                        job(1).team("t").replicas(24).slices(8, "rack"));
        assertThat(Explainer.remedies(base.snapshot(), job(1).jobId(), List.of()))
                .contains(new Remedy.FewerReplicas(16));
    }

    @Test
    void whatCouldNeverHoldTheSlicesSaysTheLargestThatCould() {
        var snapshot = blocks().snapshot();
        var fits = job(1).replicas(16).slices(8, "rack").require("block").facts(POOLS);
        assertThat(NeverFits.check(snapshot.pools(), snapshot.nodes(), fits)).isEmpty();
        var tooMany = job(1).replicas(21).slices(7, "rack").facts(POOLS);
        assertThat(NeverFits.check(snapshot.pools(), snapshot.nodes(), tooMany)).isEmpty();
        var inOneBlock = job(1).replicas(21).slices(7, "rack").require("block").facts(POOLS);
        assertThat(NeverFits.check(snapshot.pools(), snapshot.nodes(), inOneBlock))
                .hasValueSatisfying(never -> {
                    assertThat(never.gpusWanted()).isEqualTo(21);
                    assertThat(never.largestGpus()).isEqualTo(14);
                    assertThat(never.slices()).isEqualTo(new Slices(7, "rack"));
                });
        var noSuchLevel = job(1).replicas(4).slices(2, "zone").facts(POOLS);
        assertThat(NeverFits.check(snapshot.pools(), snapshot.nodes(), noSuchLevel))
                .hasValueSatisfying(never -> assertThat(never.slices()).isEqualTo(new Slices(2, "zone")));
    }

    @Test
    void severalKindsThatCouldNeverLieTogetherAreToldApart() {
        var snapshot = blocks().snapshot();
        var together = job(1).group("head", 1, Resources.gpus(4)).group("worker", 12, Resources.gpus(1), 4, "rack");
        assertThat(NeverFits.check(
                        snapshot.pools(),
                        snapshot.nodes(),
                        together.require("block").facts(POOLS)))
                .isEmpty();
        var torn = job(1).group("head", 1, Resources.gpus(4)).group("worker", 12, Resources.gpus(1), 6, "rack");
        assertThat(NeverFits.check(
                        snapshot.pools(),
                        snapshot.nodes(),
                        torn.require("block").facts(POOLS)))
                .as("4 are left in the rack of the head")
                .isPresent();
    }

    @Test
    void nodesWithoutTheLabelHoldNoSlices() {
        var planned = cluster()
                .pool("gpu", "block", "rack", "node")
                .rack("b1/", four("a", 3))
                .rack("b1/r1", four("b", 1))
                .team("t")
                .jobs(
                        job(1).team("t").replicas(4).slices(2, "rack"),
                        job(2).team("t").replicas(4).slices(2, "rack"))
                .plan();
        assertThat(planned.started()).containsExactly(1L);
        assertThat(planned.nodesOf(1)).allMatch("b1"::equals);
    }

    @Test
    void aRackOfABlockWithoutLabelHoldsSlicesAllTheSame() {
        var planned = cluster()
                .pool("gpu", "block", "rack", "node")
                .rack("/r1", four("a", 2))
                .rack("/r2", four("b", 2))
                .team("t")
                .jobs(job(1).team("t").replicas(16).slices(8, "rack"))
                .plan();
        assertThat(racks(planned, 8)).containsExactly("a", "b");
    }

    @Test
    void groupsHaveSlicesOfTheirOwn() {
        var planned = blocks().jobs(job(1).team("t")
                        .group("head", 1, Resources.gpus(2))
                        .group("worker", 12, Resources.gpus(1), 6, "rack")
                        .require("block"))
                .plan();
        assertThat(racks(planned.start(1).placements(), "worker", 6)).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void groupsThatAskForTheSameAreNumberedSliceBySlice() {
        var planned = blocks().jobs(job(1).team("t")
                        .group("x", 8, Resources.gpus(1), 8, "rack")
                        .group("y", 8, Resources.gpus(1), 8, "rack"))
                .plan();
        assertThat(racks(planned.start(1).placements(), "x", 8)).containsExactly("a");
        assertThat(racks(planned.start(1).placements(), "y", 8)).containsExactly("b");
    }

    @Test
    void theCheapestVictimsMakeRoomForWholeSlices() {
        // 3 are free in rack a and 4 in rack b: one slice fits, and one GPU in rack a makes the second.
        var planned = cluster()
                .rack("r1", four("a", 2))
                .rack("r2", four("b", 2))
                .team("t", guaranteed(8))
                .team("o", guaranteed(0))
                .jobs(
                        job(91).team("o").gpus(2).on("a1").started(Duration.ofHours(9)),
                        job(92).team("o").gpus(3).on("a2").started(Duration.ofHours(1)),
                        job(93).team("o").gpus(1).on("b1").started(Duration.ofHours(7)),
                        job(94).team("o").gpus(3).on("b2").started(Duration.ofHours(8)),
                        job(1).team("t").replicas(8).slices(4, "rack"))
                .plan();
        assertThat(planned.victims()).containsExactly(92L);
        assertThat(racks(planned.reserves().getFirst().placements(), "main", 4)).containsExactly("a", "b");
    }

    @Test
    void aPreferredLevelIsWaitedForWithSlicesToo() {
        var waits = halves(Duration.ofHours(1));
        assertThat(waits.started()).isEmpty();
        assertThat(waits.reason(1, Reason.Topology.class).relaxesAt()).isNotNull();
        assertThat(racks(halves(Duration.ofMinutes(1)), 8)).containsExactly("b", "d");
    }

    private static Planned halves(Duration patience) {
        return blocks().jobs(
                        job(91).team("t").gpus(1).on("a1"),
                        job(92).team("t").gpus(1).on("c1"),
                        job(1).team("t").replicas(16).slices(8, "rack").prefer("block", patience))
                .plan();
    }

    @Test
    void unequalNodesHoldUnequalSlices() {
        var planned = cluster()
                .rack("r1", node("a1").gpus(3), node("a2").gpus(6))
                .rack("r2", node("b1").gpus(7), node("b2").gpus(1))
                .team("t")
                .jobs(job(1).team("t").replicas(12).slices(4, "rack"))
                .plan();
        assertThat(racks(planned, 4)).containsExactlyInAnyOrder("a", "a", "b");
    }
}
