package io.muster.scheduling;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.TeamOrder;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.plan.Decision.Cause;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The order inside a team, as its policy says. */
class TeamOrderTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void attainedServiceStartsFirstWhoHadLeast() {
        var planned = oneNode(TeamOrder.ATTAINED_SERVICE)
                .jobs(
                        job(1).submitted(Duration.ofHours(9))
                                .waitingSince(MINUTE)
                                .had(Duration.ofHours(5)),
                        job(2).submitted(MINUTE),
                        job(3).submitted(Duration.ofHours(8))
                                .waitingSince(MINUTE)
                                .had(Duration.ofHours(1)))
                .plan();
        assertThat(planned.started()).containsExactly(2L, 3L, 1L);
    }

    @Test
    void insideABandUsersTakeTurnsAndThenAgeDecides() {
        var planned = oneNode(TeamOrder.ATTAINED_SERVICE)
                .jobs(
                        job(1).user("u").submitted(Duration.ofMinutes(3)),
                        job(2).user("u").submitted(Duration.ofMinutes(2)),
                        job(3).user("v").submitted(MINUTE))
                .plan();
        assertThat(planned.started()).containsExactly(1L, 3L, 2L);
    }

    @Test
    void historyPutsAKindThatEndsSoonBeforeOneThatRunsLong() {
        var planned = oneNode(TeamOrder.ATTAINED_SERVICE)
                .jobs(
                        job(1).submitted(Duration.ofMinutes(9)).had(Duration.ZERO, Duration.ofHours(20)),
                        job(2).submitted(MINUTE).had(Duration.ZERO, Duration.ofMinutes(5)))
                .plan();
        assertThat(planned.started()).containsExactly(2L, 1L);
    }

    @Test
    void fairFinishStartsFirstWhoHadTheSmallestShareOfItsLife() {
        var planned = oneNode(TeamOrder.FAIR_FINISH)
                .jobs(
                        job(1).submitted(Duration.ofHours(4))
                                .waitingSince(MINUTE)
                                .had(Duration.ofHours(3)),
                        job(2).submitted(Duration.ofHours(9))
                                .waitingSince(MINUTE)
                                .had(Duration.ofHours(4)))
                .plan();
        assertThat(planned.started()).containsExactly(2L, 1L);
    }

    @ParameterizedTest
    @EnumSource(TeamOrder.class)
    void whoHadMuchYieldsThroughItsCheckpointWhereTheOrderSaysSo(TeamOrder order) {
        var planned = oneNode(order)
                .jobs(served(11).on("n1"), job(1).gpus(8).submitted(Duration.ofHours(1)))
                .plan();
        if (order == TeamOrder.FIFO) {
            assertThat(planned.victims()).isEmpty();
        } else {
            assertThat(planned.request(11).cause()).isEqualTo(Cause.TURN);
            assertThat(planned.reserves())
                    .singleElement()
                    .satisfies(r -> assertThat(r.job().value()).isEqualTo(1));
        }
    }

    @ParameterizedTest
    @EnumSource(TeamOrder.class)
    void nobodyTakesATurnWhileThereIsRoom(TeamOrder order) {
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .order("a", order)
                .jobs(served(11).on("n1"), job(1).gpus(8))
                .plan();
        assertThat(planned.victims()).isEmpty();
        assertThat(planned.started()).containsExactly(1L);
    }

    @ParameterizedTest
    @EnumSource(TeamOrder.class)
    void aTurnLastsMinRuntime(TeamOrder order) {
        var planned = oneNode(order)
                .jobs(
                        served(11).on("n1").started(Duration.ofMinutes(9)).submitted(Duration.ofHours(9)),
                        job(1).gpus(8).submitted(Duration.ofHours(1)))
                .plan();
        assertThat(planned.victims()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TeamOrder.class)
    void whoSavedNothingSinceLongAgoKeepsItsGpus(TeamOrder order) {
        var planned = oneNode(order)
                .jobs(
                        served(11).on("n1").checkpointed(Duration.ofHours(7)),
                        job(1).gpus(8).submitted(Duration.ofHours(1)))
                .plan();
        assertThat(planned.victims()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TeamOrder.class)
    void whoseRestartCostsMoreThanTheTurnSavesKeepsItsGpus(TeamOrder order) {
        var planned = oneNode(order)
                .jobs(
                        served(11).on("n1").restartTakes(Duration.ofHours(10)),
                        job(1).gpus(8).submitted(Duration.ofHours(1)))
                .plan();
        assertThat(planned.victims()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TeamOrder.class)
    void anotherTeamsOrderTakesNothing(TeamOrder order) {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .team("b", guaranteed(0))
                .order("a", order)
                .order("b", order)
                .jobs(served(11).on("n1"), job(1).team("b").gpus(8).submitted(Duration.ofHours(1)))
                .plan();
        assertThat(planned.victims()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TeamOrder.class)
    void aHigherClassIsNotPassedByAnOrder(TeamOrder order) {
        var planned = oneNode(order)
                .jobs(served(11).on("n1").priority(100), job(1).gpus(8).submitted(Duration.ofHours(1)))
                .plan();
        assertThat(planned.victims()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TeamOrder.class)
    void whatIsOldPassesNobodyWhereJobsTakeTurns(TeamOrder order) {
        var planned = oneNode(order)
                .jobs(
                        job(1).gpus(8)
                                .submitted(Duration.ofHours(30))
                                .waitingSince(Duration.ofHours(11))
                                .had(Duration.ofHours(19)),
                        job(2).gpus(8).submitted(Duration.ofHours(2)))
                .plan();
        assertThat(planned.started()).containsExactly(order == TeamOrder.FIFO ? 1L : 2L);
    }

    /** The victims cost the same: the one that has had more yields, though it started before the other. */
    @ParameterizedTest
    @EnumSource(
            value = TeamOrder.class,
            names = {"FAIR_FINISH", "ATTAINED_SERVICE"})
    void ofThoseWhoCostTheSameTheLastInOrderYields(TeamOrder order) {
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .order("a", order)
                .jobs(
                        served(11).on("n1").submitted(Duration.ofHours(20)),
                        job(12).gpus(8)
                                .on("n2")
                                .started(Duration.ofHours(2))
                                .submitted(Duration.ofHours(20))
                                .checkpointed(MINUTE)
                                .had(Duration.ofHours(2)),
                        job(1).gpus(8).submitted(Duration.ofHours(1)))
                .plan();
        assertThat(planned.victims()).containsExactly(11L);
    }

    /** Taking from one in the middle of the order only makes it take from the last in its turn. */
    @ParameterizedTest
    @EnumSource(
            value = TeamOrder.class,
            names = {"FAIR_FINISH", "ATTAINED_SERVICE"})
    void theLastInOrderYieldsThoughOthersWouldCostLess(TeamOrder order) {
        var small = job(12).gpus(8)
                .on("n2")
                .started(Duration.ofHours(2))
                .submitted(Duration.ofHours(20))
                .checkpointed(Duration.ofSeconds(10))
                .had(Duration.ofHours(4));
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .order("a", order)
                .jobs(served(11).on("n1"), small, job(1).submitted(Duration.ofHours(1)))
                .plan();
        assertThat(planned.victims()).containsExactly(11L);
    }

    /** Eight jobs that hold a GPU each cost as much as one that holds eight: one restart is better than eight. */
    @Test
    void ofPlacesThatCostTheSameTheOneThatFewerLeaveIsTaken() {
        var jobs = new ArrayList<Job>();
        jobs.add(job(11).gpus(8)
                .on("n2")
                .started(Duration.ofHours(9))
                .checkpointed(MINUTE)
                .had(Duration.ofHours(1)));
        for (int i = 0; i < 8; i++) {
            jobs.add(job(20 + i)
                    .on("n1")
                    .started(Duration.ofHours(9))
                    .checkpointed(MINUTE)
                    .had(Duration.ofHours(8)));
        }
        jobs.add(job(1).gpus(8).submitted(Duration.ofHours(1)));
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .order("a", TeamOrder.ATTAINED_SERVICE)
                .jobs(jobs.toArray(Job[]::new))
                .plan();
        assertThat(planned.victims()).containsExactly(11L);
    }

    @ParameterizedTest
    @EnumSource(TeamOrder.class)
    void noStartIsKeptAgainstItsOwnTeamForWhoTakesTurns(TeamOrder order) {
        var running = job(11).gpus(8).on("n1").started(MINUTE);
        var waiting = job(1).gpus(8).submitted(Duration.ofHours(9));
        assertThat(oneNode(order).jobs(running, waiting).plan().reserves()).hasSize(order == TeamOrder.FIFO ? 1 : 0);
    }

    @ParameterizedTest
    @EnumSource(TeamOrder.class)
    void againstAnotherTeamAStartIsKept(TeamOrder order) {
        var planned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .team("b", guaranteed(0))
                .order("a", order)
                .jobs(
                        job(11).gpus(8).on("n1").started(MINUTE),
                        job(1).gpus(8).submitted(Duration.ofHours(9)),
                        job(2).team("b").submitted(Duration.ofHours(1)))
                .plan();
        assertThat(planned.reserves())
                .singleElement()
                .satisfies(r -> assertThat(r.job().value()).isEqualTo(1));
    }

    @Test
    void aLimitIsMadeRoomInByTurnsToo() {
        var planned = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(8).limit(8))
                .order("a", TeamOrder.ATTAINED_SERVICE)
                .jobs(served(11).on("n1"), job(1).gpus(8).submitted(Duration.ofHours(1)))
                .plan();
        assertThat(planned.request(11).cause()).isEqualTo(Cause.TURN);
        assertThat(planned.nodesOf(1)).containsExactly("n2");
    }

    @Test
    void whoUsedMuchLatelyComesAfterWhoUsedLittle() {
        var planned = oneNode(TeamOrder.FIFO)
                .used("a", "u", 1.75)
                .used("a", "v", 0.25)
                .jobs(
                        job(1).user("u").submitted(Duration.ofMinutes(9)),
                        job(2).user("v").submitted(MINUTE),
                        job(3).user("v").submitted(MINUTE))
                .plan();
        assertThat(planned.started()).containsExactly(2L, 3L, 1L);
    }

    private static Job served(long id) {
        return job(id).gpus(8).started(Duration.ofHours(9)).checkpointed(MINUTE).had(Duration.ofHours(8));
    }

    private static Cluster oneNode(TeamOrder order) {
        return cluster().rack("r1", nodes("n", 1)).team("a", guaranteed(8)).order("a", order);
    }
}
