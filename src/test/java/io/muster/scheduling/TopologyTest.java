package io.muster.scheduling;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Node.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Reason;
import io.muster.model.Resources;
import io.muster.scheduling.build.Cluster;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TopologyTest {

    /** Two racks of two nodes with 4 GPUs free each; nothing holds 8 on one node. */
    private static Cluster scattered() {
        var base = cluster().rack("r1", nodes("a", 2)).rack("r2", nodes("b", 2)).team("t");
        return base.team("h")
                .jobs(
                        job(91).team("h").gpus(4).on("a1"),
                        job(92).team("h").gpus(4).on("a2"),
                        job(93).team("h").gpus(4).on("b1"),
                        job(94).team("h").gpus(4).on("b2"));
    }

    @Test
    void eightReplicasThatRequireANodeWaitWhileFreeGpusLieScattered() {
        var planned =
                scattered().jobs(job(1).team("t").replicas(8).require("node")).plan();
        assertThat(planned.started()).isEmpty();
        var reason = planned.reason(1, Reason.Topology.class);
        assertThat(reason.level()).isEqualTo("node");
        assertThat(reason.replicasFit()).isEqualTo(4);
        assertThat(reason.nodes()).isNotEmpty();
    }

    @Test
    void preferredLevelIsWaitedForAndThenRelaxed() {
        var waits = scattered()
                .jobs(job(1).team("t").replicas(8).prefer("node", Duration.ofMinutes(10)))
                .plan();
        assertThat(waits.started()).isEmpty();
        assertThat(waits.reason(1, Reason.Topology.class).relaxesAt())
                .isEqualTo(io.muster.scheduling.build.Job.NOW.plus(Duration.ofMinutes(5)));
        var relaxed = scattered()
                .jobs(job(1).team("t").replicas(8).prefer("node", Duration.ofMinutes(4)))
                .plan();
        assertThat(relaxed.start(1).level()).isEqualTo("rack");
    }

    @Test
    void relaxingStopsAtTheRequiredLevel() {
        var planned = scattered()
                .jobs(job(1).team("t").replicas(9).require("rack").prefer("node", Duration.ZERO))
                .plan();
        assertThat(planned.started()).isEmpty();
        assertThat(planned.reason(1, Reason.Topology.class).level()).isEqualTo("rack");
    }

    @Test
    void theFullestDomainThatFitsIsTaken() {
        var planned = cluster()
                .rack("r1", nodes("a", 4))
                .rack("r2", nodes("b", 3))
                .team("t")
                .jobs(job(1).team("t").replicas(2).gpus(8).require("rack"))
                .plan();
        assertThat(planned.nodesOf(1)).allMatch(n -> n.startsWith("b"));
    }

    @Test
    void aGangIsSplitEvenlyOverTheFewestDomains() {
        var planned = cluster()
                .rack("r1", nodes("a", 5))
                .rack("r2", nodes("b", 5))
                .rack("r3", nodes("c", 2))
                .team("t")
                .jobs(job(1).team("t").replicas(6).gpus(8))
                .plan();
        assertThat(planned.nodesOf(1).stream().filter(n -> n.startsWith("a"))).hasSize(3);
        assertThat(planned.nodesOf(1).stream().filter(n -> n.startsWith("b"))).hasSize(3);
        assertThat(Set.copyOf(planned.nodesOf(1))).hasSize(6);
    }

    @Test
    void neighboursInNumberAreNeighboursInTheTree() {
        var planned = cluster()
                .pool("gpu", "block", "rack", "node")
                .rack("b1/r1", nodes("x", 2))
                .rack("b1/r2", nodes("y", 2))
                .team("t")
                .jobs(job(1).team("t").replicas(8).gpus(4))
                .plan();
        assertThat(planned.nodesOf(1)).containsExactly("x1", "x1", "x2", "x2", "y1", "y1", "y2", "y2");
    }

    @Test
    void theSameRackNameInTwoBlocksIsTwoRacks() {
        var planned = cluster()
                .pool("gpu", "block", "rack", "node")
                .rack("b1/r1", nodes("x", 1))
                .rack("b2/r1", nodes("y", 1))
                .team("t")
                .jobs(job(1).team("t").replicas(2).gpus(8).require("rack"))
                .plan();
        assertThat(planned.reason(1, Reason.NeverFits.class).largestGpus()).isEqualTo(8);
    }

    @Test
    void nodesWithoutTheLabelBelongToNoDomainOfThatLevel() {
        var base = cluster().rack("", nodes("x", 2)).rack("r1", nodes("y", 1)).team("t");
        var required =
                base.jobs(job(1).team("t").replicas(2).gpus(8).require("rack")).plan();
        assertThat(required.reasons(1)).startsWith("never-fits");
        assertThat(base.jobs(job(2).team("t").replicas(3).gpus(8)).plan().nodesOf(2))
                .hasSize(3);
    }

    @Test
    void nvlinkMayBeALevelBetweenRackAndNode() {
        var planned = cluster()
                .pool("nvl", "rack", "nvlink", "node")
                .rack("r1/d1", node("a1").gpus(4), node("a2").gpus(4))
                .rack("r1/d2", node("b1").gpus(4), node("b2").gpus(4))
                .team("t")
                .jobs(
                        job(9).team("t").gpus(1).on("a1"),
                        job(1).team("t").replicas(8).require("nvlink"))
                .plan();
        assertThat(planned.nodesOf(1)).allMatch(n -> n.startsWith("b"));
        assertThat(planned.start(1).level()).isEqualTo("nvlink");
    }

    @Test
    void nodesOfOtherSizesAreUsedAsTheyAre() {
        var planned = cluster()
                .rack(
                        "r1",
                        node("s1").gpus(4),
                        node("s2").gpus(4),
                        node("m1").gpus(6),
                        node("l1").gpus(16))
                .team("t")
                .jobs(
                        job(1).team("t").replicas(2).gpus(5),
                        job(2).team("t").replicas(2).gpus(4))
                .plan();
        assertThat(planned.started()).contains(1L, 2L);
        assertThat(planned.nodesOf(2)).containsExactly("s1", "s2");
    }

    @Test
    void groupsOfAGangLieTogether() {
        var planned = cluster()
                .rack("r1", nodes("a", 1))
                .rack("r2", nodes("b", 2))
                .team("t")
                .jobs(job(1).team("t")
                        .group("head", 1, new Resources(0, 8_000, 0))
                        .group("worker", 2, Resources.gpus(8))
                        .require("rack"))
                .plan();
        assertThat(planned.start(1).placements()).hasSize(3);
        assertThat(planned.nodesOf(1)).allMatch(n -> n.startsWith("b"));
    }

    @Test
    void gpuTypesAndMemoryAreRespected() {
        var base = cluster()
                .rack("r1", node("a1").type("A100"), node("h1").type("H100"))
                .team("t");
        assertThat(base.jobs(job(1).team("t").gpus(8).types("H100", "A100"))
                        .plan()
                        .nodesOf(1))
                .containsExactly("h1");
        assertThat(base.jobs(job(2).team("t").gpuMemory(100_000)).plan().reasons(2))
                .containsExactly("never-fits");
        assertThat(base.jobs(job(3).team("t").replicas(2).gpus(8).types("A100", "H100"))
                        .plan()
                        .reasons(3))
                .containsExactly("never-fits");
    }

    @Test
    void foreignPodsAndCordonedNodesAreCounted() {
        var planned = cluster()
                .rack("r1", node("n1").foreign(3), node("n2").cordoned())
                .team("t")
                .jobs(job(1).team("t").gpus(6))
                .plan();
        var reason = planned.reason(1, Reason.Capacity.class);
        assertThat(reason.gpusFree()).isEqualTo(5);
        assertThat(reason.gpusUnavailable()).isEqualTo(8);
    }

    @Test
    void tooFewInAllIsSaidWithTheDomainThatIsNeeded() {
        var planned = cluster()
                .rack("r1", node("n1"), node("n2"), node("n3").cordoned())
                .team("t")
                .jobs(job(1).team("t").replicas(3).gpus(8).require("rack"))
                .plan();
        var reason = planned.reason(1, Reason.Capacity.class);
        assertThat(reason.level()).isEqualTo("rack");
        assertThat(reason.gpusFree()).isEqualTo(16);
    }

    @Test
    void excludedNodesAreLeftOut() {
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("t")
                .jobs(job(1).team("t").gpus(8).excluding("n1"))
                .plan();
        assertThat(planned.nodesOf(1)).containsExactly("n2");
    }
}
