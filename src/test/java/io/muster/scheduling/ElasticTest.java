package io.muster.scheduling;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static io.muster.scheduling.build.Quota.weighted;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Reason;
import io.muster.model.ReplicaPlacement;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Planned;
import io.muster.scheduling.plan.Aftermath;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.snapshot.ModeView;
import io.muster.scheduling.snapshot.ReservationView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ElasticTest {

    private static List<String> sizes(Planned planned, long job) {
        return planned.start(job).placements().stream()
                .map(p -> p.group() + p.index())
                .toList();
    }

    private static Decision.Reserve reserve(Planned planned, long job) {
        return planned.reserves().stream()
                .filter(r -> r.job().value() == job)
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing kept for " + job + ": " + planned.plan()));
    }

    private static List<String> nodesOf(Decision.Reserve reserve) {
        return reserve.placements().stream()
                .map(ReplicaPlacement::node)
                .map(n -> n.value())
                .toList();
    }

    private static void isAtRest(Planned planned) {
        var left = Aftermath.of(planned.snapshot(), planned.plan().decisions());
        assertThat(new Scheduler().plan(left).decisions()).isEmpty();
    }

    @Test
    void startsWholeWhereThereIsRoom() {
        var planned = cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(32))
                .jobs(job(1).elastic(2, 4).gpus(8))
                .plan();
        assertThat(sizes(planned, 1)).containsExactly("main0", "main1", "main2", "main3");
        isAtRest(planned);
    }

    @Test
    void startsWithAsManyReplicasAsThereIsRoomFor() {
        var planned = cluster()
                .rack("r1", nodes("n", 3))
                .team("a", guaranteed(24))
                .jobs(job(1).elastic(2, 8).gpus(8))
                .plan();
        assertThat(sizes(planned, 1)).containsExactly("main0", "main1", "main2");
        assertThat(planned.share("a").allocated()).isEqualTo(24);
        assertThat(planned.share("a").demand()).isEqualTo(64);
        isAtRest(planned);
    }

    @Test
    void waitsWhenNotEvenItsFewestReplicasFitAndSaysSoOfThose() {
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .jobs(
                        job(11).gpus(8).on("n1").walltime(Duration.ofHours(3)),
                        job(1).elastic(2, 8).gpus(8))
                .plan();
        assertThat(planned.started()).isEmpty();
        assertThat(planned.reason(1, Reason.Capacity.class).gpusWanted()).isEqualTo(16);
        assertThat(reserve(planned, 1).placements()).hasSize(2);
        isAtRest(planned);
    }

    @Test
    void isRefusedOnlyWhenItsFewestReplicasFitNowhere() {
        var fits = cluster().rack("r1", nodes("n", 2)).team("a", guaranteed(16));
        assertThat(fits.jobs(job(1).elastic(2, 100).gpus(8)).plan().started()).containsExactly(1L);
        var never = cluster().rack("r1", nodes("n", 2)).team("a", guaranteed(16));
        assertThat(never.jobs(job(1).elastic(3, 4).gpus(8))
                        .plan()
                        .reason(1, Reason.NeverFits.class)
                        .gpusWanted())
                .isEqualTo(24);
    }

    @Test
    void takesNoMoreThanItsTeamMayHold() {
        var planned = cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(8).limit(20))
                .jobs(job(1).elastic(1, 8).gpus(4))
                .plan();
        assertThat(sizes(planned, 1)).hasSize(5);
    }

    @Test
    void keepsToTheLevelItRequiresWhateverItsSize() {
        var planned = cluster()
                .rack("r1", nodes("a", 2))
                .rack("r2", nodes("b", 3))
                .team("a", guaranteed(40))
                .jobs(job(1).elastic(2, 5).gpus(8).require("rack"))
                .plan();
        assertThat(planned.nodesOf(1)).containsExactly("b1", "b2", "b3");
    }

    /** Four nodes; the job runs on two of them. */
    private static Cluster small() {
        return cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(32))
                .team("b", guaranteed(0))
                .jobs(job(1).elastic(2, 4).gpus(8).on("n1", "n2").checkpointed(Duration.ofMinutes(5)));
    }

    @Test
    void growsIntoRoomThroughItsCheckpoint() {
        var planned = small().plan();
        var request = planned.request(1);
        assertThat(request.cause()).isEqualTo(Cause.RESIZE);
        assertThat(request.beneficiary()).isEqualTo(request.job());
        assertThat(request.gpusFreed()).isZero();
        assertThat(request.gpuSecondsLost()).isEqualTo((300 + 60) * 16);
        assertThat(reserve(planned, 1).placements()).hasSize(4);
        assertThat(planned.share("a").allocated()).isEqualTo(32);
        isAtRest(planned);
    }

    @Test
    void growsOnlyWhenTheGainOutweighsTheRestart() {
        var brief = cluster()
                .rack("r1", nodes("n", 3))
                .team("a", guaranteed(32))
                .jobs(job(1).elastic(2, 3)
                        .gpus(8)
                        .on("n1", "n2")
                        .started(Duration.ofHours(1))
                        .walltime(Duration.ofMinutes(70))
                        .checkpointed(Duration.ofMinutes(5)));
        // Ten minutes with 8 GPUs more against six minutes of 16.
        assertThat(brief.plan().plan().decisions()).isEmpty();
        var longer = cluster()
                .rack("r1", nodes("n", 3))
                .team("a", guaranteed(32))
                .jobs(job(1).elastic(2, 3)
                        .gpus(8)
                        .on("n1", "n2")
                        .started(Duration.ofHours(1))
                        .walltime(Duration.ofMinutes(73))
                        .checkpointed(Duration.ofMinutes(5)));
        assertThat(longer.plan().victims()).containsExactly(1L);
    }

    @Test
    void doesNotGrowInsideMinRuntimeNorUnderProtectionNorWhenPreemptionIsFrozen() {
        var young = job(1).elastic(2, 4).gpus(8).on("n1", "n2").started(Duration.ofMinutes(9));
        var shielded = job(1).elastic(2, 4).gpus(8).on("n1", "n2").protectedFor(Duration.ofMinutes(1));
        var often = job(1).elastic(2, 4)
                .gpus(8)
                .on("n1", "n2")
                .started(Duration.ofMinutes(30))
                .preemptedToday(4);
        var firm = job(1).elastic(2, 4).gpus(8).on("n1", "n2").notPreemptible();
        for (var job : List.of(young, shielded, often, firm)) {
            var planned = cluster()
                    .rack("r1", nodes("n", 4))
                    .team("a", guaranteed(32))
                    .jobs(job)
                    .plan();
            assertThat(planned.plan().decisions()).isEmpty();
        }
        var frozen = small().mode(new ModeView(null, "incident", null, Map.of(), Map.of()));
        assertThat(frozen.plan().plan().decisions()).isEmpty();
    }

    @Test
    void growsBeyondItsShareOnlyWhileNobodyWaits() {
        var alone = cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(16))
                .team("b", guaranteed(16))
                .jobs(job(1).team("a").elastic(2, 4).gpus(8).on("n1", "n2"));
        assertThat(alone.plan().victims()).containsExactly(1L);
        var crowded = cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(16))
                .team("b", guaranteed(16))
                .jobs(
                        job(1).team("a").elastic(2, 4).gpus(8).on("n1", "n2"),
                        job(2).team("b").gpus(8).on("n3").starting(),
                        job(3).team("b").replicas(2).gpus(8));
        assertThat(crowded.plan().victims()).doesNotContain(1L);
    }

    @Test
    void growsOntoNothingThatAHeadHasReserved() {
        var planned = cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(32))
                .jobs(
                        job(1).elastic(2, 3).gpus(8).on("n1", "n2"),
                        job(2).gpus(8).on("n3").walltime(Duration.ofHours(2)).started(Duration.ofMinutes(90)),
                        job(3).replicas(2).gpus(8))
                .plan();
        assertThat(nodesOf(reserve(planned, 3))).containsExactlyInAnyOrder("n3", "n4");
        assertThat(planned.victims()).isEmpty();
        isAtRest(planned);
    }

    @Test
    void keepsItsNextPlaceWhileItSavesAndStartsThereWhenItsPodsAreGone() {
        var saving = cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(32))
                .jobs(
                        job(1).elastic(2, 4).gpus(8).on("n1", "n2").leavingFor(1),
                        job(2).replicas(4).gpus(8))
                .reserve(ReservationView.Kind.VICTIMS, 1, null, 8, "n1", "n2", "n3", "n4")
                .plan();
        assertThat(saving.started()).isEmpty();
        assertThat(saving.unreserves()).isEmpty();
        assertThat(saving.share("a").allocated()).isEqualTo(32);
        var gone = cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(32))
                .jobs(job(1).elastic(2, 4).gpus(8), job(2).replicas(4).gpus(8))
                .reserve(ReservationView.Kind.VICTIMS, 1, null, 8, "n1", "n2", "n3", "n4")
                .plan();
        assertThat(gone.nodesOf(1)).containsExactly("n1", "n2", "n3", "n4");
    }

    @Test
    void startsLargerThanWasPromisedWhenMoreHasComeFree() {
        var planned = cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(32))
                .jobs(job(1).elastic(1, 4).gpus(8))
                .reserve(ReservationView.Kind.VICTIMS, 1, null, 8, "n1", "n2")
                .plan();
        assertThat(planned.nodesOf(1)).hasSize(4);
        assertThat(planned.start(1).consumes()).isNotNull();
        isAtRest(planned);
    }

    /** Team b borrows all four nodes with one elastic job and one that is not. */
    private static Cluster borrowed() {
        return cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(16))
                .team("b", guaranteed(0))
                .jobs(
                        job(11).team("b").elastic(1, 3).gpus(8).on("n1", "n2", "n3"),
                        job(12).team("b").gpus(8).on("n4").checkpointed(Duration.ofMinutes(1)));
    }

    @Test
    void givesUpSpareReplicasBeforeAnyJobIsStopped() {
        var planned = borrowed().jobs(job(1).team("a").gpus(8)).plan();
        assertThat(planned.victims()).containsExactly(11L);
        var request = planned.request(11);
        assertThat(request.cause()).isEqualTo(Cause.RECLAIM);
        assertThat(request.gpusFreed()).isEqualTo(8);
        assertThat(nodesOf(reserve(planned, 11))).containsExactly("n1", "n2");
        assertThat(nodesOf(reserve(planned, 1))).containsExactly("n3");
        assertThat(planned.share("b").allocated()).isEqualTo(24);
        isAtRest(planned);
    }

    @Test
    void givesUpNoMoreThanItsSpareReplicasAndThenOthersYield() {
        var planned = borrowed()
                .jobs(job(1).team("a").gpus(8), job(2).team("a").gpus(8))
                .plan();
        assertThat(planned.victims()).containsExactly(11L, 12L);
        assertThat(reserve(planned, 11).placements()).hasSize(2);
        isAtRest(planned);
    }

    @Test
    void yieldsWholeWhenWithoutItsLastReplicasThereIsNoRoom() {
        var planned = cluster()
                .rack("r1", nodes("n", 3))
                .team("a", guaranteed(24))
                .team("b", guaranteed(0))
                .jobs(
                        job(11).team("b").elastic(2, 3).gpus(8).on("n1", "n2", "n3"),
                        job(1).team("a").replicas(3).gpus(8))
                .plan();
        assertThat(planned.request(11).gpusFreed()).isEqualTo(24);
        assertThat(planned.reserves())
                .singleElement()
                .satisfies(r -> assertThat(r.job().value()).isEqualTo(1));
        isAtRest(planned);
    }

    @Test
    void aHigherPriorityOfItsOwnTeamTakesItsSpareReplicasToo() {
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .jobs(
                        job(11).elastic(2, 4).gpus(4).on("n1", "n1", "n2", "n2"),
                        job(1).priority(100).gpus(8))
                .plan();
        assertThat(planned.request(11).cause()).isEqualTo(Cause.PREEMPTION);
        assertThat(planned.request(11).gpusFreed()).isEqualTo(8);
        assertThat(nodesOf(reserve(planned, 11))).containsExactly("n1", "n1");
        isAtRest(planned);
    }

    @Test
    void aJobWithReplicasOnANodeThatTakesNoneYieldsWhole() {
        var planned = cluster()
                .rack("r1", node("n1").cordoned(), node("n2"), node("n3"))
                .team("a", guaranteed(8))
                .team("b", guaranteed(0))
                .jobs(
                        job(11).team("b").elastic(1, 3).gpus(8).on("n1", "n2", "n3"),
                        job(1).team("a").gpus(8))
                .plan();
        assertThat(planned.request(11).gpusFreed()).isEqualTo(24);
    }

    @Test
    void yieldsWholeOnlyWithinTheRateThoughEachOfItsPartsWouldKeepToIt() {
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", weighted(1))
                .team("b", weighted(1))
                .jobs(
                        job(11).team("b").elastic(1, 3).gpus(3).on("n1", "n2", "n2"),
                        job(1).team("a").gpus(8))
                .plan();
        // A fifth of 16 GPUs: the replica that is in the way keeps to that, all three do not.
        assertThat(planned.victims()).isEmpty();
    }

    /** Slices are tried in each rack; what is tried is counted once. */
    @Test
    void yieldsWholeToSlicesAndIsCountedOnce() {
        var planned = cluster()
                .rack("r1", node("a1"), node("a2"))
                .rack("r2", node("b1"), node("b2"))
                .team("a", guaranteed(16))
                .team("b", guaranteed(0))
                .team("c", guaranteed(8))
                .jobs(
                        job(11).team("b").elastic(1, 3).gpus(8).on("a1", "a2", "b1"),
                        job(12).team("c").gpus(8).on("b2").notPreemptible(),
                        job(1).team("a").replicas(2).gpus(8).slices(2, "rack"))
                .plan();
        assertThat(planned.request(11).gpusFreed()).isEqualTo(24);
        assertThat(planned.share("b").allocated()).isZero();
        assertThat(planned.share("a").allocated()).isEqualTo(16);
        isAtRest(planned);
    }
}
