package io.muster.scheduling.placement;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.placement.Site.site;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Resources;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.build.Node;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacerTest {

    /** A whole node and two of which 3 GPUs are free. */
    private static Site broken() {
        return site(cluster().rack("r1", nodes("n", 3))).holds("n2", 5).holds("n3", 5);
    }

    /** Both searches, by the index of what is free now and by looking at each node, find the same. */
    private static List<String> alike(Site site, Job job) {
        var found = site.nodesOf(job);
        assertThat(site.nodesOf(job, site.room.future())).isEqualTo(found);
        return found;
    }

    @Test
    void aSingleReplicaGoesOnTheFullestNodeWithRoom() {
        var site = site(cluster().rack("r1", nodes("n", 4)))
                .holds("n1", 2)
                .holds("n2", 4)
                .holds("n3", 7);
        assertThat(alike(site, job(1).gpus(1))).containsExactly("n3");
        assertThat(alike(site, job(1).gpus(2))).containsExactly("n2");
        assertThat(alike(site, job(1).gpus(4))).containsExactly("n2");
        assertThat(alike(site, job(1).gpus(5))).containsExactly("n1");
        assertThat(alike(site, job(1).gpus(8))).containsExactly("n4");
        assertThat(alike(site, job(1).gpus(9))).isEmpty();
    }

    @Test
    void aGapComesBeforeAWholeNodeThatHasLessFree() {
        var site = site(cluster()
                        .rack(
                                "r1",
                                node("n1").gpus(4),
                                node("n2").gpus(16),
                                node("n3").gpus(4)))
                .holds("n2", 8);
        assertThat(alike(site, job(1).gpus(2))).containsExactly("n2");
    }

    @Test
    void theFirstOfEqualNodesIsTaken() {
        var site = site(cluster().rack("r1", nodes("n", 3))).holds("n2", 4).holds("n3", 4);
        assertThat(alike(site, job(1).gpus(4))).containsExactly("n2");
        assertThat(alike(site, job(1).gpus(8))).containsExactly("n1");
    }

    @Test
    void whatANodeLacksOrForbidsLeadsToTheNextLikeIt() {
        var site = site(cluster().rack("r1", nodes("n", 5)))
                .holds("n1", 4)
                .holds("n2", new Resources(4, 100_000, 0))
                .holds("n3", 4)
                .excluding("n1");
        assertThat(alike(site, job(1).gpus(4).cpus(64))).containsExactly("n3");
    }

    @Test
    void aCordonedNodeTakesNothing() {
        var site = site(cluster().rack("r1", node("n1").cordoned(), node("n2"))).holds("n1", 4);
        assertThat(alike(site, job(1).gpus(2))).containsExactly("n2");
        assertThat(alike(site, job(1).replicas(2).gpus(2))).containsExactly("n2", "n2");
    }

    @Test
    void aReplicaWithoutGpusGoesWhereNoneIsFree() {
        var site = site(cluster().rack("r1", nodes("n", 2))).holds("n2", 8);
        assertThat(alike(site, job(1).gpus(0).cpus(4))).containsExactly("n2");
    }

    @Test
    void onlyTheGivenNodesAreLookedAt() {
        var site = site(cluster().rack("r1", nodes("n", 4)))
                .holds("n1", 4)
                .holds("n3", 4)
                .holds("n4", 4);
        for (var plane : List.of(site.room.strict(), site.room.future())) {
            assertThat(site.nodes(job(1).gpus(4), site.place(job(1).gpus(4), plane, "n2", "n2")))
                    .containsExactly("n2");
            assertThat(site.nodes(job(1).gpus(4), site.place(job(1).gpus(4), plane, "n2", "n3")))
                    .containsExactly("n3");
            assertThat(site.place(job(1).replicas(3).gpus(8), plane, "n1", "n3"))
                    .isNull();
        }
    }

    @Test
    void anotherTypeOfGpuIsAnotherPlace() {
        var site = site(cluster()
                .rack("r1", node("a1").type("A100"), node("h1").type("H100").gpus(4)));
        assertThat(site.in(0).nodesOf(job(1).gpus(4))).containsExactly("a1");
        assertThat(site.in(1).nodesOf(job(1).gpus(4))).containsExactly("h1");
        assertThat(site.in(1).nodesOf(job(1).gpus(8))).isEmpty();
        assertThat(site.in(1).place(job(1).gpus(4)).domain()).isZero();
        var full = site.holds("a1", 8);
        assertThat(full.in(0).nodesOf(job(1).gpus(4))).isEmpty();
    }

    @Test
    void aSmallGangFillsGapsAcrossNodesBeforeItBreaksAWholeOne() {
        var small = job(1).replicas(2).gpus(2);
        assertThat(broken().nodesOf(small)).containsExactly("n2", "n3");
        assertThat(broken().nodesOf(job(1).replicas(3).gpus(2))).containsExactly("n1", "n1", "n1");
    }

    @Test
    void aGangThatNeedsAWholeNodesGpusIsNotScattered() {
        var site = site(cluster().rack("r1", nodes("n", 3))).holds("n2", 4).holds("n3", 4);
        assertThat(site.nodesOf(job(1).replicas(2).gpus(4))).containsExactly("n1", "n1");
        assertThat(site.nodesOf(job(1).replicas(7).gpus(1))).containsExactly("n2", "n2", "n2", "n3", "n3", "n3", "n3");
    }

    @Test
    void aGangThatAskedForATopologyIsNotScatteredOverGaps() {
        var near = job(1).replicas(2).gpus(2).require("rack");
        assertThat(broken().nodesOf(near)).containsExactly("n1", "n1");
    }

    @Test
    void onOneNodeAGapComesBeforeAWholeNodeThatHasLessFree() {
        var gang = job(1).replicas(2).gpus(2).require("node");
        var first = site(cluster().rack("r1", node("n1").gpus(4), node("n2").gpus(16)))
                .holds("n2", 8);
        assertThat(first.nodesOf(gang)).containsExactly("n2", "n2");
        var last = site(cluster().rack("r1", node("n1").gpus(16), node("n2").gpus(4)))
                .holds("n1", 8);
        assertThat(last.nodesOf(gang)).containsExactly("n1", "n1");
    }

    @Test
    void ofEqualDomainsTheFirstIsTaken() {
        var site = site(cluster().rack("r1", nodes("a", 2)).rack("r2", nodes("b", 2)));
        var gang = job(1).replicas(2).gpus(8).require("rack");
        assertThat(site.nodesOf(gang)).containsExactly("a1", "a2");
        assertThat(site.holds("b2", 1).nodesOf(job(2).replicas(2).gpus(4).require("rack")))
                .containsExactly("a1", "a1");
    }

    @Test
    void aGangLeavesOutTheNodesOnWhichItFailed() {
        var site = site(cluster().rack("r1", nodes("n", 3))).excluding("n2");
        assertThat(site.nodesOf(job(1).replicas(2).gpus(8))).containsExactly("n1", "n3");
        assertThat(site.nodesOf(job(1).replicas(3).gpus(8))).isEmpty();
    }

    @Test
    void groupsOfSeveralKindsGoIntoTheFullestDomainThatHoldsThemTogether() {
        var site = site(cluster().rack("r1", nodes("a", 4)).rack("r2", nodes("b", 3)));
        var gang = job(1).group("head", 1, new Resources(1, 0, 0))
                .group("worker", 2, Resources.gpus(8))
                .require("rack");
        assertThat(site.nodesOf(gang)).containsExactly("b3", "b1", "b2");
        assertThat(site.holds("b3", 8).nodesOf(gang)).containsExactly("a3", "a1", "a2");
    }

    @Test
    void kindsThatFitOneByOneButNotTogetherDoNotFit() {
        var site =
                site(cluster().rack("r1", nodes("n", 1)).rack("r2", node("big").gpus(16)));
        var gang = job(1).group("a", 1, Resources.gpus(6))
                .group("b", 1, Resources.gpus(4))
                .require("node");
        assertThat(site.nodesOf(gang)).containsExactly("big", "big");
        assertThat(site.holds("big", 8).nodesOf(gang)).isEmpty();
    }

    @Test
    void theHarderKindIsPlacedFirst() {
        long gib = Node.GIB;
        var byMemory = site(
                cluster().rack("r1", node("n1").memory(64 * gib), node("n2").memory(16 * gib)));
        assertThat(byMemory.nodesOf(job(1).group("small", 1, new Resources(8, 1_000, 8 * gib))
                        .group("large", 1, new Resources(8, 1_000, 60 * gib))))
                .containsExactly("n2", "n1");
        var byCpu = site(cluster().rack("r1", node("n1").cpus(64), node("n2").cpus(16)));
        assertThat(byCpu.nodesOf(job(1).group("small", 1, new Resources(8, 8_000, gib))
                        .group("large", 1, new Resources(8, 60_000, gib))))
                .containsExactly("n2", "n1");
    }

    @Test
    void equalPartsLieInTheDomainsThatAreFullestAndHoldThem() {
        var site = site(cluster()
                .rack("r1", nodes("a", 4))
                .rack("r2", nodes("b", 3))
                .rack("r3", nodes("c", 3))
                .rack("r4", nodes("d", 1)));
        assertThat(site.nodesOf(job(1).replicas(6).gpus(8))).containsExactly("b1", "b2", "b3", "c1", "c2", "c3");
        assertThat(site.nodesOf(job(1).replicas(7).gpus(8))).containsExactly("a1", "a2", "a3", "a4", "b1", "b2", "b3");
    }

    @Test
    void whereAPartDoesNotFitEvenlyTheRoomiestDomainsAreFilled() {
        var site = site(
                cluster().rack("r1", nodes("a", 6)).rack("r2", nodes("b", 2)).rack("r3", nodes("c", 1)));
        assertThat(site.nodesOf(job(1).replicas(8).gpus(8)))
                .containsExactly("a1", "a2", "a3", "a4", "a5", "a6", "b1", "b2");
    }
}
