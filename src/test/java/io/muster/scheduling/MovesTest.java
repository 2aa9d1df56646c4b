package io.muster.scheduling;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Reason;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.build.Planned;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.plan.Decision.Reserve.Kind;
import io.muster.scheduling.snapshot.ModeView;
import io.muster.scheduling.snapshot.ReservationView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MovesTest {
    private static final Duration SAVED = Duration.ofMinutes(5);

    /** Four nodes of eight; on each so many GPUs are held by jobs of one GPU that saved five minutes ago. */
    private static Cluster scattered(int... held) {
        var cluster = cluster().rack("r1", nodes("n", held.length)).team("a", guaranteed(64));
        for (int n = 0; n < held.length; n++) {
            for (int i = 0; i < held[n]; i++) {
                cluster.jobs(small(100 + 10 * n + i).on("n" + (n + 1)));
            }
        }
        return cluster;
    }

    private static Job small(long id) {
        return job(id).gpus(1).checkpointed(SAVED).started(Duration.ofHours(1));
    }

    private static Decision.Reserve reserve(Planned planned, long job) {
        return planned.reserves().stream()
                .filter(r -> r.job().value() == job)
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing kept for " + job + ": " + planned.plan()));
    }

    private static List<String> places(Decision.Reserve reserve) {
        return reserve.placements().stream().map(p -> p.node().value()).toList();
    }

    @Test
    void theFewestSmallJobsMoveSoThatAGangGetsAWholeNode() {
        var planned = scattered(3, 1, 3, 3).jobs(job(1).gpus(8)).plan();
        assertThat(planned.victims()).containsExactly(110L);
        var request = planned.request(110);
        assertThat(request.cause()).isEqualTo(Cause.MOVE);
        assertThat(request.beneficiary().value()).isEqualTo(1);
        assertThat(request.gpuSecondsLost()).isEqualTo(SAVED.toSeconds());
        var place = reserve(planned, 110);
        assertThat(place.kind()).isEqualTo(Kind.MOVE);
        assertThat(places(place)).doesNotContain("n2").hasSize(1);
        assertThat(reserve(planned, 1).kind()).isEqualTo(Kind.VICTIMS);
        assertThat(places(reserve(planned, 1))).containsExactly("n2");
        assertThat(reserve(planned, 1).victims()).containsExactly(Job.job(110).jobId());
        assertThat(planned.reason(1, Reason.WaitingForVictims.class).victims()).hasSize(1);
    }

    @Test
    void aMoverKeepsItsTeamsShare() {
        var planned = scattered(3, 1, 3, 3).jobs(job(1).gpus(8)).plan();
        assertThat(planned.share("a").allocated()).isEqualTo(10 + 8);
    }

    @Test
    void theCheapestNodeIsClearedByWhatIsLostNotByHowManyMove() {
        var planned = cluster()
                .rack("r1", nodes("n", 3))
                .team("a", guaranteed(24))
                .jobs(
                        job(10).gpus(2)
                                .on("n1")
                                .checkpointed(Duration.ofMinutes(50))
                                .started(Duration.ofHours(1)),
                        small(21).on("n2"),
                        small(22).on("n2"),
                        job(30).gpus(5).on("n3").checkpointed(SAVED).started(Duration.ofHours(1)),
                        job(1).gpus(8))
                .plan();
        assertThat(planned.victims()).containsExactlyInAnyOrder(21L, 22L);
    }

    @Test
    void nobodyMovesWhileAPlaceIsFree() {
        var planned = scattered(3, 0, 3, 3).jobs(job(1).gpus(8)).plan();
        assertThat(planned.victims()).isEmpty();
        assertThat(planned.nodesOf(1)).containsExactly("n2");
    }

    @Test
    void nobodyMovesWhenThoseThatLeaveAlreadyAreEnough() {
        var planned = scattered(3, 0, 3, 3)
                .jobs(small(50).on("n2").stopping(), job(1).gpus(8))
                .plan();
        assertThat(planned.victims()).isEmpty();
    }

    @Test
    void nobodyMovesWithoutANewPlace() {
        var planned = scattered(7, 7, 7, 7).jobs(job(1).gpus(8)).plan();
        assertThat(planned.victims()).isEmpty();
        assertThat(planned.reserves()).noneMatch(r -> r.kind() == Kind.MOVE);
    }

    @Test
    void aJobThatDoesNotSaveOrIsYoungOrIsNotPreemptibleStays() {
        for (var stays : List.of(
                job(50).gpus(1).on("n2"),
                small(50).on("n2").started(Duration.ofMinutes(9)),
                small(50).on("n2").notPreemptible(),
                small(50).on("n2").protectedFor(Duration.ofMinutes(1)),
                small(50).on("n2").backfilled(),
                small(50).on("n2").priority(100))) {
            var planned = scattered(3, 0, 3, 3).jobs(stays, job(1).gpus(8)).plan();
            assertThat(planned.reserves())
                    .as("instead of " + stays.jobId())
                    .noneMatch(r -> r.kind() == Kind.MOVE && r.job().value() == 50);
        }
    }

    @Test
    void freezeAndPausesHoldForMovesToo() {
        var frozen = new ModeView(null, "release day", null, Map.of(), Map.of());
        assertThat(scattered(3, 1, 3, 3)
                        .mode(frozen)
                        .jobs(job(1).gpus(8))
                        .plan()
                        .victims())
                .isEmpty();
        var paused = new ModeView(null, null, null, Map.of(), Map.of(Ids.team("b"), "broken image"));
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(8))
                .team("b", guaranteed(8))
                .mode(paused)
                .jobs(small(11).team("b").on("n1"), small(21).team("b").on("n2"), job(1).gpus(8))
                .plan();
        assertThat(planned.victims())
                .as("a paused team's job could not start again")
                .isEmpty();
    }

    @Test
    void aTeamBeyondItsShareMovesNobody() {
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(4))
                .team("b", guaranteed(12))
                .jobs(
                        small(11).team("b").on("n1"),
                        small(21).team("b").on("n2"),
                        job(31).team("b").gpus(7),
                        job(32).team("b").gpus(3),
                        job(1).gpus(8))
                .plan();
        assertThat(planned.victims()).isEmpty();
    }

    @Test
    void movingIsPreferredToTakingFromABorrowerAtTheSameLoss() {
        var base = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .team("b")
                .jobs(
                        small(11).on("n1"),
                        job(20).team("b").gpus(1).on("n2").checkpointed(SAVED).started(Duration.ofHours(1)),
                        job(1).gpus(8),
                        job(2).gpus(7));
        var planned = base.plan();
        assertThat(planned.all(Decision.RequestCheckpoint.class))
                .first()
                .satisfies(r -> assertThat(r.cause()).isEqualTo(Cause.MOVE));
    }

    @Test
    void aDearMoveLosesAgainstACheapReclaim() {
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .team("b")
                .jobs(
                        job(11).gpus(4).on("n1").every(Duration.ofMinutes(59)).started(Duration.ofHours(1)),
                        job(20).team("b").gpus(4).on("n2").started(Duration.ofMinutes(11)),
                        job(1).gpus(8),
                        job(2).gpus(4))
                .plan();
        assertThat(planned.victims()).containsExactly(20L);
        assertThat(planned.request(20).cause()).isEqualTo(Cause.RECLAIM);
    }

    @Test
    void aShortWaitIsCheaperThanAMove() {
        var soon = Duration.ofMinutes(61);
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .jobs(
                        job(11).gpus(4)
                                .on("n1")
                                .walltime(soon)
                                .checkpointed(Duration.ofMinutes(50))
                                .started(Duration.ofHours(1)),
                        job(21).gpus(4)
                                .on("n2")
                                .walltime(soon)
                                .checkpointed(Duration.ofMinutes(50))
                                .started(Duration.ofHours(1)),
                        job(1).gpus(8))
                .plan();
        assertThat(planned.victims()).isEmpty();
        assertThat(reserve(planned, 1).kind()).isEqualTo(Kind.HEAD);
    }

    @Test
    void aGangMovesOnlyWhole() {
        var planned = cluster()
                .rack("r1", nodes("n", 3))
                .team("a", guaranteed(24))
                .jobs(
                        job(10).gpus(2).on("n1", "n2").checkpointed(SAVED).started(Duration.ofHours(1)),
                        small(30).on("n3"),
                        small(31).on("n3"),
                        small(32).on("n3"),
                        small(33).on("n3"),
                        small(34).on("n3"),
                        job(1).gpus(8))
                .plan();
        // Both replicas would have to fit elsewhere: one of them on the node that is to be free is no place.
        planned.reserves().stream()
                .filter(r -> r.kind() == Kind.MOVE)
                .forEach(r -> assertThat(places(r)).doesNotContainAnyElementsOf(places(reserve(planned, 1))));
        assertThat(planned.victims()).isNotEmpty();
    }

    /** A leaving job's place is kept from others, and it starts there as soon as it waits. */
    @Test
    void theNewPlaceIsKeptWhileTheMoverLeaves() {
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .jobs(small(11).on("n1").leavingFor(1), job(20).gpus(7).on("n2"), job(1).gpus(8), job(2).gpus(1))
                .reserve(ReservationView.Kind.VICTIMS, 1, null, 8, "n1")
                .reserve(ReservationView.Kind.MOVE, 11, null, 1, "n2")
                .plan();
        assertThat(planned.started()).isEmpty();
        assertThat(planned.unreserves()).isEmpty();
        assertThat(planned.share("a").allocated()).isEqualTo(7 + 1 + 8);
    }

    @Test
    void theMoverStartsAtItsPlaceAsSoonAsItWaits() {
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .jobs(job(11).gpus(1).notBeside(1), job(20).gpus(7).on("n2"), job(1).gpus(8))
                .reserve(ReservationView.Kind.VICTIMS, 1, null, 8, "n1")
                .reserve(ReservationView.Kind.MOVE, 11, null, 1, "n2")
                .plan();
        assertThat(planned.started()).containsExactlyInAnyOrder(1L, 11L);
        assertThat(planned.nodesOf(11)).containsExactly("n2");
        assertThat(planned.nodesOf(1)).containsExactly("n1");
    }

    @Test
    void aMoverWhosePlaceIsLostQueuesLikeAnyOther() {
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .jobs(job(11).gpus(1), job(20).gpus(8).on("n2"))
                .reserve(ReservationView.Kind.MOVE, 11, null, 1, "n2")
                .plan();
        assertThat(planned.nodesOf(11)).containsExactly("n1");
    }

    @Test
    void whatIsKeptForAJobThatDoesNotMoveIsGivenUp() {
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .jobs(small(11).on("n1"))
                .reserve(ReservationView.Kind.MOVE, 11, null, 1, "n2")
                .plan();
        assertThat(planned.unreserves())
                .singleElement()
                .satisfies(u -> assertThat(u.why()).isEqualTo("its job does not move any more"));
    }

    /** A rack is cleared for a gang that requires one. */
    @Test
    void aRequiredDomainIsClearedAsAWhole() {
        var planned = cluster()
                .rack("r1", nodes("a", 2))
                .rack("r2", nodes("b", 2))
                .team("a", guaranteed(32))
                .jobs(
                        small(11).on("a1"),
                        small(21).on("b1"),
                        small(22).on("b2"),
                        job(1).replicas(2).gpus(8).require("rack"))
                .plan();
        assertThat(planned.victims()).containsExactly(11L);
        assertThat(places(reserve(planned, 1))).containsExactlyInAnyOrder("a1", "a2");
        assertThat(places(reserve(planned, 11))).allMatch(n -> n.startsWith("b"));
    }
}
