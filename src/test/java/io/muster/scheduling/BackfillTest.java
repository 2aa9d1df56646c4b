package io.muster.scheduling;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.NOW;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.build.Quota;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.snapshot.ReservationView;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackfillTest {

    /** Two nodes, one of them busy for an hour more; a gang of both waits first in line. */
    private static Cluster blocked(Job... others) {
        return cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .jobs(
                        job(9).gpus(8).on("n1").walltime(Duration.ofHours(2)),
                        job(1).replicas(2).gpus(8).submitted(Duration.ofHours(3)))
                .jobs(others);
    }

    /** Two teams of equal weight on two nodes; {@code use} is the past use of the head's team. */
    private static Cluster promisedToA(int gpus, double use, Job... others) {
        return cluster()
                .rack("r1", nodes("n", 2))
                .team("a", Quota.weighted(1).usage(use))
                .team("b", Quota.weighted(1))
                .jobs(job(1).team("a").replicas(gpus / 4).gpus(4))
                .jobs(
                        job(9).team("b").gpus(8).on("n1").walltime(Duration.ofHours(2)),
                        job(8).team("b").gpus(8).on("n2").walltime(Duration.ofHours(2)))
                .jobs(others)
                .reserve(ReservationView.Kind.HEAD, 1, Duration.ofMinutes(-1), 4, gpus == 8 ? TWO : FOUR);
    }

    private static final String[] TWO = {"n1", "n1"};
    private static final String[] FOUR = {"n1", "n1", "n2", "n2"};

    @Test
    void aHeadKeepsItsReservationWhenPastUseBendsWhatItsTeamDeserves() {
        var planned = promisedToA(8, 4.0).plan();
        assertThat(planned.share("a").deserved()).isLessThan(8);
        assertThat(planned.share("a").entitlement()).isEqualTo(8);
        assertThat(planned.unreserves()).isEmpty();
        assertThat(planned.started()).isEmpty();
    }

    @Test
    void aHeadBeyondWhatItsTeamIsEntitledToLosesItsReservationWhenOthersWantTheirs() {
        var planned = promisedToA(16, 0).plan();
        assertThat(planned.unreserves())
                .singleElement()
                .satisfies(u -> assertThat(u.why()).isEqualTo("its team may not hold so much any more"));
    }

    @Test
    void aHeadThatNoOpenNodesCouldHoldLosesItsReservation() {
        var planned = cluster()
                .rack("r1", node("n1"), node("n2").cordoned())
                .team("a", guaranteed(16))
                .jobs(job(1).replicas(2).gpus(8))
                .reserve(ReservationView.Kind.HEAD, 1, Duration.ofMinutes(-1), 8, "n1", "n2")
                .plan();
        assertThat(planned.unreserves())
                .singleElement()
                .satisfies(u -> assertThat(u.why()).isEqualTo("no open nodes could hold it any more"));
    }

    @Test
    void firstBlockedJobHasItsStartReserved() {
        var planned = blocked().plan();
        assertThat(planned.reserves()).singleElement().satisfies(r -> {
            assertThat(r.kind()).isEqualTo(Decision.Reserve.Kind.HEAD);
            assertThat(r.startAt()).isEqualTo(NOW.plus(Duration.ofHours(1)));
            assertThat(r.placements()).hasSize(2);
        });
        assertThat(planned.explanation(1).expectedStart()).isEqualTo(NOW.plus(Duration.ofHours(1)));
    }

    /** From an hour on 19 GPUs are free in sum, but no node is empty before five hours are over. */
    @Test
    void startIsNotExpectedBeforeOneNodeHasRoom() {
        var planned = cluster()
                .rack("r1", nodes("n", 6))
                .team("a", guaranteed(48))
                .jobs(
                        job(10).gpus(4).on("n1").walltime(Duration.ofHours(2)),
                        job(11).gpus(4).on("n1").walltime(Duration.ofHours(6)),
                        job(12).gpus(5).on("n2").walltime(Duration.ofHours(9)),
                        job(13).gpus(5).on("n3").walltime(Duration.ofHours(9)),
                        job(14).gpus(5).on("n4").walltime(Duration.ofHours(9)),
                        job(15).gpus(5).on("n5").walltime(Duration.ofHours(9)),
                        job(16).gpus(5).on("n6").walltime(Duration.ofHours(9)),
                        job(1).gpus(8).submitted(Duration.ofHours(3)),
                        job(2).gpus(8).submitted(Duration.ofHours(2)))
                .plan();
        assertThat(planned.explanation(2).expectedStart()).isEqualTo(NOW.plus(Duration.ofHours(5)));
        assertThat(planned.explanation(2).latestStart()).isEqualTo(NOW.plus(Duration.ofHours(5)));
    }

    /** What is expected of a victim does not move on with the clock. */
    @Test
    void victimsAreExpectedToBeGoneByTheirDeadline() {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .jobs(
                        job(9).gpus(8).on("n1").leavingFor(1).expectedToEndIn(Duration.ofSeconds(20)),
                        job(1).gpus(8).submitted(Duration.ofHours(3)))
                .reserve(ReservationView.Kind.VICTIMS, 1, null, 8, "n1")
                .plan();
        assertThat(planned.explanation(1).latestStart()).isEqualTo(NOW.plus(Duration.ofSeconds(20)));
    }

    @Test
    void shortJobsStartInTheMeantime() {
        var planned = blocked(job(2).gpus(4).walltime(Duration.ofMinutes(30)).notPreemptible())
                .plan();
        assertThat(planned.started()).containsExactly(2L);
        assertThat(planned.start(2).backfilled()).isFalse();
    }

    @Test
    void longJobsThatCannotYieldDoNot() {
        var planned = blocked(job(2).gpus(4).walltime(Duration.ofHours(5)).notPreemptible())
                .plan();
        assertThat(planned.started()).isEmpty();
        assertThat(planned.reasons(2)).startsWith("reserved");
    }

    @Test
    void longJobsThatCanYieldStartMarked() {
        var planned = blocked(job(2).gpus(4)).plan();
        assertThat(planned.start(2).backfilled()).isTrue();
    }

    @Test
    void reservationIsSticky() {
        var planned = blocked()
                .reserve(ReservationView.Kind.HEAD, 1, Duration.ofHours(1), 8, "n1", "n2")
                .plan();
        assertThat(planned.plan().decisions()).isEmpty();
    }

    @Test
    void backfilledJobsYieldWhenTheHeadCanStart() {
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .jobs(
                        job(2).gpus(4).on("n2").backfilled().started(Duration.ofMinutes(1)),
                        job(1).replicas(2).gpus(8).submitted(Duration.ofHours(3)))
                .reserve(ReservationView.Kind.HEAD, 1, Duration.ofHours(1), 8, "n1", "n2")
                .plan();
        assertThat(planned.victims()).containsExactly(2L);
        assertThat(planned.request(2).cause()).isEqualTo(Cause.BACKFILL);
        assertThat(planned.reserves())
                .singleElement()
                .satisfies(r -> assertThat(r.kind()).isEqualTo(Decision.Reserve.Kind.VICTIMS));
    }

    @Test
    void streamOfSmallJobsDoesNotStarveALargeGang() {
        // KAI#1969, volcano#2384: the freed node is not given to small jobs that would hold it beyond the start.
        var planned = blocked(
                        job(2).gpus(8).walltime(Duration.ofDays(1)).notPreemptible(),
                        job(3).gpus(1).walltime(Duration.ofDays(1)).notPreemptible())
                .plan();
        assertThat(planned.started()).isEmpty();
    }

    @Test
    void drainedNodeMovesTheReservationAndSaysSo() {
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .rack("r2", io.muster.scheduling.build.Node.node("n3").cordoned())
                .team("a", guaranteed(16))
                .jobs(
                        job(9).gpus(8).on("n1").walltime(Duration.ofHours(2)),
                        job(1).replicas(2).gpus(8).submitted(Duration.ofHours(3)))
                .reserve(ReservationView.Kind.HEAD, 1, Duration.ofHours(1), 8, "n2", "n3")
                .plan();
        assertThat(planned.reserves())
                .singleElement()
                .satisfies(r -> assertThat(
                                r.placements().stream().map(p -> p.node().value()))
                        .containsExactly("n1", "n2"));
    }

    @Test
    void walltimeUsedUpStopsTheJob() {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a")
                .jobs(job(9).gpus(8).on("n1").walltime(Duration.ofHours(1)))
                .plan();
        assertThat(planned.stopped()).containsExactly(9L);
    }
}
