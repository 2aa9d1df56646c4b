package io.muster.scheduling.moves;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.build.Node;
import io.muster.scheduling.build.Planned;
import io.muster.scheduling.plan.Decision.Reserve.Kind;
import io.muster.scheduling.snapshot.ModeView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who makes room for job 1 by going on elsewhere, and where. */
class WhoMovesTest {

    /** A job that would lose so many minutes. */
    private static Job mover(long id, int gpus, int minutes, String... on) {
        return job(id).gpus(gpus)
                .checkpointed(Duration.ofMinutes(minutes))
                .on(on)
                .started(Duration.ofHours(2));
    }

    /** A job that stays where it is. */
    private static Job stays(long id, int gpus, String... on) {
        return job(id).gpus(gpus).on(on);
    }

    private static Cluster team(Cluster cluster, Job... jobs) {
        return cluster.team("a", guaranteed(100)).jobs(jobs);
    }

    private static List<String> newPlace(Planned planned, long job) {
        return planned.reserves().stream()
                .filter(r -> r.kind() == Kind.MOVE && r.job().equals(new JobId(job)))
                .flatMap(r -> r.placements().stream().map(p -> p.node().value()))
                .toList();
    }

    @Test
    void whoMakesTheRoomAloneGoesIfThatCostsLessThanSeveral() {
        var base = cluster().rack("r1", nodes("n", 2));
        var jobs = new Job[] {
            stays(20, 2, "n1"),
            mover(11, 1, 10, "n1"),
            mover(12, 1, 11, "n1"),
            mover(13, 2, 9, "n1"),
            stays(21, 4, "n2"),
            job(1).gpus(4).require("node"),
            stays(22, 1, "n2")
        };
        assertThat(team(base, jobs).plan().victims()).containsExactly(13L);
        var cheap = team(
                cluster().rack("r1", nodes("n", 2)),
                stays(20, 2, "n1"),
                mover(11, 1, 8, "n1"),
                mover(12, 1, 9, "n1"),
                mover(13, 2, 9, "n1"),
                stays(21, 5, "n2"),
                job(1).gpus(4));
        assertThat(cheap.plan().victims()).containsExactly(11L, 12L);
    }

    @Test
    void whatIsFreeInNumberIsJustEnough() {
        var exact =
                team(cluster().rack("r1", nodes("n", 2)), mover(11, 1, 5, "n1"), stays(20, 7, "n2"), job(1).gpus(8));
        assertThat(exact.plan().victims()).containsExactly(11L);
    }

    @Test
    void cpusAreMadeRoomForToo() {
        var planned = team(
                        cluster().rack("r1", node("n1").cpus(128), node("n2").cpus(128)),
                        mover(11, 1, 5, "n1").cpus(100),
                        mover(12, 0, 4, "n1").cpus(1),
                        stays(20, 7, "n2"),
                        job(1).gpus(7).cpus(127))
                .plan();
        assertThat(planned.victims()).containsExactly(11L);
        assertThat(newPlace(planned, 11)).containsExactly("n2");
    }

    @Test
    void memoryIsMadeRoomForToo() {
        var planned = team(
                        cluster()
                                .rack(
                                        "r1",
                                        node("n1").memory(128 * Node.GIB),
                                        node("n2").memory(128 * Node.GIB)),
                        mover(11, 1, 5, "n1").memory(100 * Node.GIB),
                        mover(12, 0, 4, "n1").memory(Node.GIB),
                        stays(20, 7, "n2"),
                        job(1).gpus(7).memory(127 * Node.GIB))
                .plan();
        assertThat(planned.victims()).containsExactly(11L);
        assertThat(newPlace(planned, 11)).containsExactly("n2");
    }

    @Test
    void twoMoversDoNotGoToTheSamePlace() {
        var planned = team(
                        cluster().rack("r1", nodes("n", 3)),
                        mover(11, 1, 5, "n1"),
                        mover(12, 1, 5, "n1"),
                        stays(20, 7, "n2"),
                        stays(21, 7, "n3"),
                        job(1).gpus(8))
                .plan();
        assertThat(planned.victims()).containsExactlyInAnyOrder(11L, 12L);
        assertThat(List.of(newPlace(planned, 11), newPlace(planned, 12)))
                .containsExactlyInAnyOrder(List.of("n2"), List.of("n3"));
    }

    @Test
    void aMoverDoesNotGoWhereItFailed() {
        var planned = team(
                        cluster().rack("r1", nodes("n", 3)),
                        mover(11, 1, 5, "n1").excluding("n2"),
                        stays(20, 7, "n2"),
                        stays(21, 6, "n3"),
                        job(1).gpus(8))
                .plan();
        assertThat(newPlace(planned, 11)).containsExactly("n3");
        var nowhere = team(
                cluster().rack("r1", nodes("n", 2)),
                mover(11, 1, 5, "n1").excluding("n2"),
                stays(20, 7, "n2"),
                job(1).gpus(8));
        assertThat(nowhere.plan().victims()).isEmpty();
    }

    @Test
    void nodesThatTheGangMayNotUseAreNotCleared() {
        var planned = team(
                        cluster().rack("r1", nodes("n", 3)),
                        mover(11, 1, 5, "n1"),
                        mover(12, 1, 50, "n2"),
                        stays(20, 4, "n3"),
                        job(1).gpus(8).excluding("n1"))
                .plan();
        assertThat(planned.victims()).containsExactly(12L);
        var closed = team(
                        cluster().rack("r1", node("n1").cordoned(), node("n2"), node("n3")),
                        mover(11, 1, 5, "n1"),
                        mover(12, 1, 50, "n2"),
                        stays(20, 4, "n3"),
                        job(1).gpus(8))
                .plan();
        assertThat(closed.victims()).containsExactly(12L);
    }

    @Test
    void aRackIsClearedWhereTheLabelIs() {
        var planned = team(
                        cluster()
                                .rack("", nodes("x", 1))
                                .rack("r1", nodes("n", 1))
                                .rack("r2", nodes("m", 1)),
                        mover(11, 1, 5, "x1"),
                        mover(12, 1, 50, "n1"),
                        stays(20, 4, "m1"),
                        job(1).replicas(2).gpus(4).require("rack"))
                .plan();
        assertThat(planned.victims()).containsExactly(12L);
    }

    @Test
    void whoeverNeedNotGoAfterAllStaysTheDearestFirst() {
        var planned = team(
                        cluster().rack("r1", nodes("n", 3)),
                        mover(11, 2, 5, "n1"),
                        mover(12, 3, 10, "n1"),
                        stays(20, 4, "n2"),
                        stays(21, 5, "n3"),
                        job(1).gpus(6))
                .plan();
        assertThat(planned.victims()).containsExactly(12L);
    }

    @Test
    void inAPausedPoolOrAboveALimitNobodyMoves() {
        var paused = new ModeView(null, null, null, Map.of(new PoolId("gpu"), "x"), Map.of());
        var jobs = new Job[] {mover(11, 1, 5, "n1"), stays(20, 4, "n2"), job(1).gpus(8)};
        assertThat(team(cluster().rack("r1", nodes("n", 2)), jobs)
                        .mode(paused)
                        .plan()
                        .victims())
                .isEmpty();
        assertThat(team(cluster().rack("r1", nodes("n", 2)), jobs).plan().victims())
                .containsExactly(11L);
        var limited = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(12).limit(12))
                .jobs(jobs);
        assertThat(limited.plan().victims()).isEmpty();
    }

    @Test
    void theCheapestGoesWhateverItsId() {
        var planned = team(
                        cluster().rack("r1", nodes("n", 2)),
                        mover(11, 1, 50, "n1"),
                        mover(12, 1, 5, "n1"),
                        stays(20, 6, "n2"),
                        job(1).gpus(7))
                .plan();
        assertThat(planned.victims()).containsExactly(12L);
    }

    @Test
    void ofTheNodesOfADomainTheCheapestIsCleared() {
        var planned = team(
                        cluster().rack("r1", nodes("a", 2)).rack("r2", nodes("b", 1)),
                        mover(11, 5, 50, "a1"),
                        mover(12, 5, 5, "a2"),
                        stays(20, 3, "b1"),
                        job(1).replicas(2).gpus(4).require("rack").excluding("b1"))
                .plan();
        assertThat(planned.victims()).containsExactly(12L);
    }

    @Test
    void aSingleReplicaThatRequiresARackGoesWhereTheLabelIs() {
        var planned = team(
                        cluster()
                                .rack("", nodes("x", 1))
                                .rack("r1", nodes("n", 1))
                                .rack("r2", nodes("m", 1)),
                        mover(11, 1, 5, "x1"),
                        mover(12, 1, 50, "n1"),
                        stays(20, 4, "m1"),
                        job(1).gpus(8).require("rack"))
                .plan();
        assertThat(planned.victims()).containsExactly(12L);
    }

    @Test
    void theLargestMoverIsPlacedFirst() {
        var planned = team(
                        cluster().rack("r1", nodes("n", 3)),
                        mover(11, 2, 5, "n1"),
                        mover(12, 2, 5, "n1"),
                        mover(13, 3, 5, "n1"),
                        stays(20, 4, "n2"),
                        stays(21, 5, "n3"),
                        job(1).gpus(8))
                .plan();
        assertThat(planned.victims()).containsExactlyInAnyOrder(11L, 12L, 13L);
        assertThat(newPlace(planned, 13)).containsExactly("n3");
    }

    @Test
    void aGangThatLostAReplicaDoesNotMove() {
        var lost = job(11).elastic(3, 3)
                .gpus(1)
                .on("n1", "n1")
                .checkpointed(Duration.ofMinutes(5))
                .started(Duration.ofHours(2));
        assertThat(team(cluster().rack("r1", nodes("n", 2)), lost, stays(20, 4, "n2"), job(1).gpus(8))
                        .plan()
                        .victims())
                .isEmpty();
    }

    @Test
    void nobodyMovesForTwo() {
        var planned = team(
                        cluster().rack("r1", nodes("n", 3)),
                        mover(11, 1, 5, "n1"),
                        mover(12, 1, 6, "n2"),
                        stays(20, 4, "n3"),
                        job(1).gpus(8).submitted(Duration.ofHours(9)),
                        job(2).gpus(8))
                .plan();
        assertThat(planned.victims()).containsExactlyInAnyOrder(11L, 12L);
        assertThat(planned.request(11).beneficiary())
                .isNotEqualTo(planned.request(12).beneficiary());
    }

    @Test
    void aMoverDoesNotGoToTheFirstNodeEitherWhenItFailedThere() {
        var planned = team(
                        cluster().rack("r1", nodes("n", 3)),
                        stays(20, 7, "n1"),
                        mover(11, 1, 5, "n2").excluding("n1").excluding("gone"),
                        stays(21, 6, "n3"),
                        job(1).gpus(8))
                .plan();
        assertThat(newPlace(planned, 11)).containsExactly("n3");
    }

    @Test
    void aMoveIsWorthItWhenTheWholeGangWouldWaitLonger() {
        var soon = Duration.ofMinutes(130);
        var planned = team(
                        cluster().rack("r1", nodes("n", 2)),
                        mover(11, 1, 5, "n1").walltime(soon),
                        stays(20, 4, "n2"),
                        job(1).gpus(8))
                .plan();
        assertThat(planned.victims()).containsExactly(11L);
    }

    @Test
    void nobodyMovesForAJobWithoutGpus() {
        var planned = team(
                        cluster().rack("r1", node("n1").cpus(64), node("n2").cpus(64)),
                        mover(11, 1, 5, "n1").cpus(16),
                        stays(20, 1, "n2").cpus(32),
                        job(1).gpus(0).cpus(64))
                .plan();
        assertThat(planned.victims()).isEmpty();
    }

    /** A rack full of jobs of one GPU, and two of three empty nodes each. */
    private static Planned crowded(int nodes) {
        var cluster = cluster()
                .rack("r1", nodes("a", nodes))
                .rack("r2", nodes("b", 3))
                .rack("r3", nodes("c", 3))
                .team("a", guaranteed(200));
        for (int n = 1; n <= nodes; n++) {
            for (int i = 0; i < 8; i++) {
                cluster.jobs(mover(100 * n + i, 1, 1, "a" + n));
            }
        }
        return cluster.jobs(job(1).replicas(nodes).gpus(8).require("rack")).plan();
    }

    @Test
    void neverMoreThanThirtyTwoJobsMoveForOne() {
        assertThat(crowded(4).victims()).hasSize(32);
        assertThat(crowded(5).victims()).isEmpty();
    }

    @Test
    void anImageThatCouldNotBePulledMovesNobody() {
        var unseen = team(
                cluster().rack("r1", nodes("n", 2)),
                mover(11, 1, 5, "n1"),
                stays(20, 4, "n2"),
                job(1).gpus(8).imageUnseen());
        assertThat(unseen.plan().victims()).isEmpty();
    }
}
