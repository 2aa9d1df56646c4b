package io.muster.scheduling;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Reason;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.snapshot.ModeView;
import io.muster.scheduling.snapshot.ReservationView;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PreemptionTest {

    /** Two nodes, both filled by team b, which borrows what a is guaranteed. */
    private static Cluster borrowed() {
        return cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(8))
                .team("b", guaranteed(8))
                .jobs(
                        job(11).team("b").gpus(8).on("n1").checkpointed(Duration.ofMinutes(30)),
                        job(12).team("b").gpus(8).on("n2").checkpointed(Duration.ofMinutes(5)));
    }

    @Test
    void teamWithinItsShareReclaimsFromTheOneAboveItsShareTheCheapestFirst() {
        var planned = borrowed().jobs(job(1).team("a").gpus(8)).plan();
        assertThat(planned.started()).isEmpty();
        assertThat(planned.victims()).containsExactly(12L);
        var request = planned.request(12);
        assertThat(request.cause()).isEqualTo(Cause.RECLAIM);
        assertThat(request.gpuSecondsLost()).isEqualTo(5 * 60 * 8);
        assertThat(planned.reserves()).singleElement().satisfies(r -> {
            assertThat(r.kind()).isEqualTo(Decision.Reserve.Kind.VICTIMS);
            assertThat(r.placements())
                    .singleElement()
                    .satisfies(p -> assertThat(p.node().value()).isEqualTo("n2"));
        });
        assertThat(planned.reason(1, Reason.WaitingForVictims.class).victims())
                .containsExactly(Job.job(12).jobId());
        assertThat(planned.share("a").allocated()).isEqualTo(8);
        assertThat(planned.share("b").allocated()).isEqualTo(8);
    }

    @Test
    void nobodyIsTakenFromAtOrBelowItsDeservedShare() {
        var planned = borrowed()
                .jobs(job(1).team("a").gpus(8), job(2).team("a").gpus(8))
                .plan();
        assertThat(planned.victims()).hasSize(1);
        assertThat(planned.reasons(2)).contains("quota-in-use");
    }

    @Test
    void jobInsideItsMinimumRunTimeIsNoVictim() {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .team("b")
                .jobs(job(11).team("b").gpus(8).on("n1").started(Duration.ofMinutes(9)), job(1).gpus(8))
                .plan();
        assertThat(planned.victims()).isEmpty();
    }

    @Test
    void protectedJobsAreNoVictims() {
        var base = cluster().rack("r1", nodes("n", 1)).team("a", guaranteed(8)).team("b");
        assertThat(base.jobs(job(11).team("b").gpus(8).on("n1").protectedFor(Duration.ofMinutes(1)), job(1).gpus(8))
                        .plan()
                        .victims())
                .isEmpty();
    }

    @Test
    void jobsThatAreNotPreemptibleAreNoVictims() {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .team("b")
                .jobs(job(11).team("b").gpus(8).on("n1").notPreemptible(), job(1).gpus(8))
                .plan();
        assertThat(planned.victims()).isEmpty();
    }

    @Test
    void insideATeamHigherPriorityTakesFromLower() {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .jobs(
                        job(11).gpus(4).on("n1").priority(0),
                        job(12).gpus(4).on("n1").priority(-100),
                        job(1).gpus(4).priority(100))
                .plan();
        assertThat(planned.victims()).containsExactly(12L);
        assertThat(planned.request(12).cause()).isEqualTo(Cause.PREEMPTION);
    }

    @Test
    void equalPriorityTakesNothing() {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .jobs(job(11).gpus(8).on("n1"), job(1).gpus(8))
                .plan();
        assertThat(planned.victims()).isEmpty();
    }

    @Test
    void priorityDoesNotCrossTeamsExceptForAPrivilegedClassWithinItsCap() {
        var base = cluster().rack("r1", nodes("n", 1)).team("a", guaranteed(4)).team("b", guaranteed(4));
        base.jobs(job(11).team("a").gpus(4).on("n1"), job(12).team("b").gpus(4).on("n1"));
        assertThat(base.jobs(job(1).team("a").gpus(4).priority(1000)).plan().victims())
                .containsExactly(11L);

        var privileged = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(4))
                .team("b", guaranteed(4))
                .jobs(
                        job(11).team("b").gpus(4).on("n1").checkpointed(Duration.ofMinutes(1)),
                        job(12).team("a").gpus(4).on("n1"));
        var planned = privileged.jobs(job(1).team("a").gpus(4).production(4)).plan();
        assertThat(planned.victims()).containsExactly(11L);
        assertThat(planned.request(11).cause()).isEqualTo(Cause.ACROSS_TEAMS);
        var capped = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(4))
                .team("b", guaranteed(4))
                .jobs(
                        job(11).team("b").gpus(8).on("n1"),
                        job(1).team("a").gpus(5).production(4))
                .plan();
        assertThat(capped.victims()).isEmpty();
    }

    @Test
    void onlyTheVictimsThatThePlacementNeedsAreTaken() {
        // volcano#4926: more victims than needed. Two of the three small jobs on n1 make room; the third stays.
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .team("b")
                .jobs(
                        job(11).team("b").gpus(2).on("n1"),
                        job(12).team("b").gpus(2).on("n1"),
                        job(13).team("b").gpus(4).on("n1").checkpointed(Duration.ofMinutes(1)),
                        job(1).gpus(4))
                .plan();
        assertThat(planned.victims()).containsExactly(13L);
    }

    @Test
    void gangReclaimsWholeNodesAtTheLeastCost() {
        var planned = cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(16))
                .team("b")
                .jobs(
                        job(11).team("b").gpus(8).on("n1").checkpointed(Duration.ofMinutes(50)),
                        job(12).team("b").gpus(4).on("n2", "n3").checkpointed(Duration.ofMinutes(3)),
                        job(13).team("b").gpus(4).on("n2").checkpointed(Duration.ofMinutes(20)),
                        job(14).team("b").gpus(4).on("n3").checkpointed(Duration.ofMinutes(20)),
                        job(15).team("b").gpus(8).on("n4").checkpointed(Duration.ofMinutes(50)),
                        job(1).replicas(2).gpus(8))
                .plan();
        assertThat(planned.victims()).containsExactlyInAnyOrder(12L, 13L, 14L);
    }

    @Test
    void freedGpusAreKeptForTheBeneficiary() {
        // kueue#13662: the victim, or anybody else, took the freed GPUs.
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .team("b")
                .jobs(
                        job(1).gpus(8),
                        job(12).team("b").gpus(8).notBeside(1),
                        job(3).team("b").gpus(1),
                        job(13).team("b").gpus(4).on("n1").leavingFor(1))
                .reserve(ReservationView.Kind.VICTIMS, 1, null, 8, "n1")
                .plan();
        assertThat(planned.plan().decisions()).isEmpty();
        assertThat(planned.reasons(1)).containsExactly("waiting-for-victims");
        assertThat(planned.reasons(3)).startsWith("reserved");
        assertThat(planned.reason(3, Reason.ReservedForAnother.class).beneficiary())
                .isEqualTo(job(1).jobId());
    }

    @Test
    void terminatingPodsStillHoldTheirGpus() {
        // kueue#10076
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .jobs(job(11).gpus(8).on("n1").stopping(), job(1).gpus(8))
                .plan();
        assertThat(planned.started()).isEmpty();
    }

    @Test
    void beneficiaryStartsAsSoonAsItsVictimsAreGone() {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .team("b")
                .jobs(job(1).gpus(8), job(12).team("b").gpus(8).notBeside(1))
                .reserve(ReservationView.Kind.VICTIMS, 1, null, 8, "n1")
                .plan();
        assertThat(planned.started()).containsExactly(1L);
        assertThat(planned.start(1).consumes()).isNotNull();
    }

    @Test
    void nobodyYieldsForAnImageThatCouldNotBePulled() {
        var planned = borrowed().jobs(job(1).team("a").gpus(8).imageUnseen()).plan();
        assertThat(planned.victims()).isEmpty();
        assertThat(planned.reasons(1)).contains("image-unseen");
        assertThat(planned.reason(1, Reason.ImageUnseen.class).attempt()).isEqualTo(1);
    }

    @Test
    void anImageThatCouldNotBePulledIsTriedAgainOnFreeGpus() {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .jobs(job(1).team("a").gpus(8).imageUnseen())
                .plan();
        assertThat(planned.started()).containsExactly(1L);
    }

    @Test
    void frozenPreemptionIsSaid() {
        var planned = borrowed()
                .jobs(job(1).team("a").gpus(8))
                .mode(new ModeView(null, "incident 7", null, Map.of(), Map.of()))
                .plan();
        assertThat(planned.victims()).isEmpty();
        assertThat(planned.reasons(1)).contains("preemption-frozen");
    }

    @Test
    void reclaimOutsideGuaranteesKeepsToItsRate() {
        var base = cluster().rack("r1", nodes("n", 5));
        base.team("a").team("b");
        for (int n = 1; n <= 5; n++) {
            base.jobs(job(10 + n).team("b").gpus(8).on("n" + n));
        }
        base.jobs(job(1).gpus(8), job(2).gpus(8));
        assertThat(base.plan().victims()).hasSize(1);
        assertThat(base.reclaimedLately(1).plan().victims()).isEmpty();
    }

    @Test
    void victimsTeamMayNotTakeItsGpusBackInTurn() {
        // kueue#14543: two jobs that evict each other in turn.
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(8))
                .team("b", guaranteed(8))
                .jobs(
                        job(1).team("a").gpus(8).on("n2"),
                        job(11).team("b").gpus(8).on("n1"),
                        job(12).team("b").gpus(8))
                .plan();
        assertThat(planned.victims()).isEmpty();
    }

    @Test
    void teamLimitIsMetByLowerJobsOfTheTeam() {
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(8).limit(8))
                .jobs(job(11).gpus(8).on("n1").priority(-100), job(1).gpus(8).priority(100))
                .plan();
        assertThat(planned.victims()).containsExactly(11L);
    }
}
