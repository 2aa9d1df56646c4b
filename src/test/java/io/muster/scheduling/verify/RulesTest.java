package io.muster.scheduling.verify;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static io.muster.scheduling.verify.Plans.backfilled;
import static io.muster.scheduling.verify.Plans.head;
import static io.muster.scheduling.verify.Plans.move;
import static io.muster.scheduling.verify.Plans.rated;
import static io.muster.scheduling.verify.Plans.request;
import static io.muster.scheduling.verify.Plans.reserve;
import static io.muster.scheduling.verify.Plans.rules;
import static io.muster.scheduling.verify.Plans.start;
import static io.muster.scheduling.verify.Plans.stop;
import static io.muster.scheduling.verify.Plans.unreserve;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.snapshot.ModeView;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.verify.Breach.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where exactly a rule begins: each case stands beside one that just keeps it. */
class RulesTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Two racks of two nodes, one node without a rack; one team that may have all. */
    private static Cluster racks(Job... jobs) {
        return cluster()
                .rack("", nodes("x", 1))
                .rack("r1", nodes("a", 2))
                .rack("r2", nodes("b", 2))
                .team("a", guaranteed(40))
                .jobs(jobs);
    }

    @Test
    void theSecondSliceIsNotTornEither() {
        var sliced = racks(job(1).replicas(4).gpus(2).slices(2, "rack"));
        assertThat(rules(sliced, start(1, 2, "a1", "a2", "a1", "b1"))).containsExactly(Rule.TOPOLOGY);
        assertThat(rules(sliced, start(1, 2, "a1", "a2", "b2", "b1"))).isEmpty();
    }

    @Test
    void aLevelThatThePoolLacksIsRequiredInVainAndPreferredInVain() {
        assertThat(rules(racks(job(1).replicas(2).gpus(8).require("block")), start(1, 8, "a1", "a2")))
                .containsExactly(Rule.TOPOLOGY);
        assertThat(rules(racks(job(1).replicas(2).gpus(8).prefer("block", HOUR)), start(1, 8, "a1", "b1")))
                .isEmpty();
    }

    @Test
    void aNodeIsADomainOfOneNodeAndARackNeedsItsLabel() {
        assertThat(rules(racks(job(1).replicas(2).gpus(4).require("node")), start(1, 4, "a1", "a2")))
                .containsExactly(Rule.TOPOLOGY);
        assertThat(rules(racks(job(1).replicas(2).gpus(4).require("node")), start(1, 4, "x1", "x1")))
                .isEmpty();
        assertThat(rules(racks(job(1).replicas(2).gpus(4).require("rack")), start(1, 4, "x1", "x1")))
                .containsExactly(Rule.TOPOLOGY);
    }

    @Test
    void onlyAFinerLevelThanTheRequiredOneIsWaitedFor() {
        var coarser = racks(job(1).replicas(2).gpus(4).require("node").prefer("rack", HOUR));
        assertThat(rules(coarser, start(1, 4, "x1", "x1"))).isEmpty();
        var finer = racks(job(1).replicas(2).gpus(4).require("rack").prefer("node", HOUR));
        assertThat(rules(finer, start(1, 4, "a1", "a2"))).containsExactly(Rule.TOPOLOGY);
    }

    @Test
    void gpuMemoryIsEnoughWhenItIsWhatWasAskedFor() {
        assertThat(rules(racks(job(1).gpus(8).gpuMemory(81_920)), start(1, 8, "a1")))
                .isEmpty();
        assertThat(rules(racks(job(1).gpus(8).gpuMemory(81_921)), start(1, 8, "a1")))
                .containsExactly(Rule.WRONG_POOL_OR_TYPE);
    }

    @Test
    void howPatientAJobMustBeWasAskedWhenItsPlaceWasPromised() {
        var patient = racks(job(1).replicas(2).gpus(8).prefer("rack", HOUR))
                .reserve(ReservationView.Kind.VICTIMS, 1, null, 8, "a1", "b1");
        assertThat(rules(patient, start(1, 8, "a1", "b1"))).isEmpty();
        assertThat(rules(patient, start(1, 8, "a2", "b2"))).containsExactly(Rule.TOPOLOGY);
        var head = racks(job(1).replicas(2).gpus(8).prefer("rack", HOUR))
                .reserve(ReservationView.Kind.HEAD, 1, HOUR, 8, "a1", "b1");
        assertThat(rules(head, start(1, 8, "a1", "b1"))).containsExactly(Rule.TOPOLOGY);
    }

    private static Cluster beforeAHead(Job job) {
        return racks(job, job(2).gpus(8)).reserve(ReservationView.Kind.HEAD, 2, HOUR, 8, "a1");
    }

    @Test
    void aHeadIsNotDelayedByWhatEndsBeforeIt() {
        assertThat(rules(beforeAHead(job(1).gpus(8).walltime(HOUR)), start(1, 8, "a1")))
                .isEmpty();
        assertThat(rules(beforeAHead(job(1).gpus(8).walltime(HOUR.plusSeconds(1))), start(1, 8, "a1")))
                .containsExactly(Rule.RESERVATION);
        assertThat(rules(beforeAHead(job(1).gpus(8)), start(1, 8, "a1"))).containsExactly(Rule.RESERVATION);
        assertThat(rules(beforeAHead(job(1).gpus(8)), backfilled(start(1, 8, "a1"))))
                .isEmpty();
        assertThat(rules(beforeAHead(job(1).gpus(8)), start(1, 8, "a2"))).isEmpty();
    }

    @Test
    void aHeadDoesNotDelayWhoeverWasPromisedItsPlaceBefore() {
        var both = beforeAHead(job(1).gpus(8)).reserve(ReservationView.Kind.VICTIMS, 1, null, 8, "a1");
        assertThat(rules(both, start(1, 8, "a1"))).isEmpty();
        var elsewhere = beforeAHead(job(1).gpus(8)).reserve(ReservationView.Kind.VICTIMS, 1, null, 8, "b1");
        assertThat(rules(elsewhere, start(1, 8, "a1"))).containsExactly(Rule.RESERVATION);
    }

    @Test
    void whatIsPromisedIsNotCountedASecondTimeWhenItIsTaken() {
        var promised = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(8).limit(8))
                .jobs(job(1).gpus(8))
                .reserve(ReservationView.Kind.VICTIMS, 1, null, 8, "n1");
        assertThat(rules(promised, start(1, 8, "n1"))).isEmpty();
        assertThat(rules(promised, start(1, 8, "n2"))).isEmpty();
        assertThat(rules(promised, reserve(1, 8, List.of(), "n2"))).isEmpty();
        assertThat(rules(promised, unreserve(1), start(1, 8, "n2"))).isEmpty();
    }

    @Test
    void aPromiseKeepsTheRulesOfAStart() {
        var base = racks(job(1).gpus(8).excluding("a1"));
        assertThat(rules(base, reserve(1, 8, List.of(), "a1"))).containsExactly(Rule.EXCLUDED_NODE);
        assertThat(rules(base, reserve(1, 8, List.of(), "a2"))).isEmpty();
        assertThat(rules(
                        racks(job(1).gpus(8)).mode(new ModeView("x", null, null, Map.of(), Map.of())),
                        reserve(1, 8, List.of(), "a1")))
                .containsExactly(Rule.MODE);
        var limited = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(4).limit(4))
                .jobs(job(1).gpus(5));
        assertThat(rules(limited, reserve(1, 5, List.of(), "n1"))).contains(Rule.TEAM_LIMIT);
    }

    @Test
    void nobodyMakesRoomForWhoeverStartsWhereItIsFree() {
        var base = racks(job(1).gpus(8).priority(100), job(11).gpus(8).on("a1"));
        assertThat(rules(base, request(11, 1, Cause.PREEMPTION, 8), start(1, 8, "a2")))
                .containsExactly(Rule.VICTIM_NOT_NEEDED);
        assertThat(rules(base, request(11, 1, Cause.PREEMPTION, 8), reserve(1, 8, List.of(11L), "a1")))
                .isEmpty();
    }

    @Test
    void everybodyIsAskedMovedAndStoppedOnce() {
        var base = racks(
                job(1).gpus(8).priority(100),
                job(11).gpus(8).on("a1").checkpointed(MINUTE),
                job(12).gpus(8).on("a2").walltime(HOUR));
        assertThat(rules(
                        base,
                        request(11, 1, Cause.PREEMPTION, 8),
                        request(11, 1, Cause.PREEMPTION, 8),
                        reserve(1, 8, List.of(11L), "a1")))
                .contains(Rule.DECIDED_TWICE);
        assertThat(rules(base, stop(12))).isEmpty();
        assertThat(rules(base, stop(12), stop(12))).contains(Rule.DECIDED_TWICE);
        assertThat(rules(base, stop(99))).containsExactly(Rule.UNKNOWN_JOB);
        assertThat(rules(base, move(99, 8, "b1"))).containsExactly(Rule.UNKNOWN_JOB);
        assertThat(rules(base, move(11, 8, "b1"), move(11, 8, "b2"))).contains(Rule.DECIDED_TWICE);
    }

    @Test
    void inSafeModeNothingIsStoppedOrMoved() {
        var safe = new ModeView(null, null, "x", Map.of(), Map.of());
        var base = racks(
                        job(1).gpus(8),
                        job(11).gpus(2).on("a1").checkpointed(MINUTE),
                        job(12).gpus(8).on("a2").walltime(HOUR))
                .mode(safe);
        assertThat(rules(base, stop(12))).containsExactly(Rule.MODE);
        assertThat(rules(base, move(11, 2, "b1"))).contains(Rule.MODE);
    }

    @Test
    void aMovedJobCountsInItsNewPlace() {
        var moved = cluster()
                .rack("r1", nodes("n", 3))
                .team("a", guaranteed(12).limit(12))
                .jobs(
                        job(11).gpus(2).on("n1").checkpointed(MINUTE),
                        job(21).gpus(5).on("n2"),
                        job(1).gpus(5),
                        job(2).gpus(5));
        var goes = request(11, 1, Cause.MOVE, 2);
        assertThat(rules(moved, goes, move(11, 2, "n2"), reserve(1, 7, List.of(11L), "n1"), start(2, 5, "n3")))
                .contains(Rule.TEAM_LIMIT);
    }

    private static List<Rule> preempts(Job victim, int beneficiarysPriority) {
        return rules(
                racks(
                        job(1).gpus(8).priority(beneficiarysPriority),
                        victim.gpus(8).on("a1")),
                request(11, 1, Cause.PREEMPTION, 8),
                reserve(1, 8, List.of(11L), "a1"));
    }

    @Test
    void onlyALowerClassYields() {
        assertThat(preempts(job(11), 1)).isEmpty();
        assertThat(preempts(job(11), 0)).containsExactly(Rule.VICTIM_RULE);
    }

    @Test
    void aJobIsProtectedInItsFirstTenMinutesAndNotLonger() {
        assertThat(preempts(job(11).started(Duration.ofMinutes(10)), 1)).isEmpty();
        assertThat(preempts(job(11).started(Duration.ofMinutes(10).minusSeconds(1)), 1))
                .containsExactly(Rule.VICTIM_PROTECTED);
    }

    @Test
    void whoYieldedOftenTodayIsProtectedForAWhile() {
        var half = Duration.ofMinutes(30);
        assertThat(preempts(job(11).started(half).preemptedToday(4), 1)).containsExactly(Rule.VICTIM_PROTECTED);
        assertThat(preempts(job(11).started(half).preemptedToday(3), 1)).isEmpty();
        assertThat(preempts(job(11).started(HOUR).preemptedToday(4), 1)).isEmpty();
        assertThat(preempts(job(11).started(half).protectedFor(MINUTE), 1)).containsExactly(Rule.VICTIM_PROTECTED);
        assertThat(preempts(job(11).started(half).preemptedToday(4).protectedFor(Duration.ZERO), 1))
                .isEmpty();
    }

    @Test
    void nothingIsReclaimedFromATeamAtItsShare() {
        var base = cluster()
                .rack("r1", nodes("n", 3))
                .team("a", guaranteed(8))
                .team("b", guaranteed(8))
                .team("c")
                .jobs(
                        job(11).team("b").gpus(8).on("n1"),
                        job(12).team("c").gpus(8).on("n2"),
                        job(13).team("c").gpus(8).on("n3"),
                        job(1).team("a").gpus(8));
        assertThat(rules(base, request(11, 1, Cause.RECLAIM, 8), reserve(1, 8, List.of(11L), "n1")))
                .contains(Rule.VICTIM_RULE);
        assertThat(rules(base, request(12, 1, Cause.RECLAIM, 8), reserve(1, 8, List.of(12L), "n2")))
                .isEmpty();
    }

    @Test
    void whatWasReclaimedLatelyCountsInTheRate() {
        var all = cluster()
                .rack("r1", nodes("n", 10))
                .team("a")
                .team("b")
                .jobs(job(1).team("a").gpus(8));
        for (int i = 1; i <= 10; i++) {
            all.jobs(job(10 + i).team("b").gpus(8).on("n" + i));
        }
        var decisions = new Decision[] {rated(11, 1, Cause.RECLAIM, 8), reserve(1, 8, List.of(11L), "n1")};
        // A fifth of 80 GPUs is 16.
        assertThat(rules(all.reclaimedLately(8), decisions)).isEmpty();
        assertThat(rules(all.reclaimedLately(9), decisions)).containsExactly(Rule.VICTIM_RULE);
    }

    @Test
    void aHeadThatTheSamePlanMovesDelaysNobodyYet() {
        var base = beforeAHead(job(1).gpus(8));
        assertThat(rules(base, head(2, HOUR, 8, "a2"), start(1, 8, "a1"))).isEmpty();
    }
}
