package io.muster.scheduling.problem;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.NOW;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Node.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.GroupShape;
import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.model.Reason;
import io.muster.model.Resources;
import io.muster.model.TeamOrder;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.scheduling.topology.Fleet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProblemTest {
    private static final PolicySettings SHIPPED = PolicySettings.SHIPPED;

    private static Cluster two() {
        return cluster().rack("r1", nodes("n", 2)).team("a").team("b");
    }

    private static Problem read(Job... jobs) {
        return Problem.of(two().jobs(jobs).snapshot());
    }

    private static boolean sameKind(Job one, Job other) {
        var problem = read(one, other);
        return problem.claimants().get(0).kind() == problem.claimants().get(1).kind();
    }

    private static boolean sameFamily(Job one, Job other) {
        var problem = read(one, other);
        return problem.claimants().get(0).family() == problem.claimants().get(1).family();
    }

    @Test
    void jobsThatGetEqualAnswersAreOfOneKind() {
        assertThat(sameKind(job(1), job(2))).isTrue();
        assertThat(sameKind(job(1), job(2).gpus(2))).isFalse();
        assertThat(sameKind(job(1), job(2).team("b"))).isFalse();
        assertThat(sameKind(job(1), job(2).priority(5))).isFalse();
        assertThat(sameKind(job(1), job(2).notPreemptible())).isFalse();
        assertThat(sameKind(job(1), job(2).walltime(Duration.ofHours(1)))).isFalse();
        assertThat(sameKind(job(1).priority(2000), job(2).production(null))).isFalse();
        assertThat(sameKind(job(1).production(8), job(2).production(4))).isFalse();
    }

    @Test
    void whereWalltimesDecideNothingFamiliesAnswer() {
        assertThat(sameFamily(job(1), job(2).walltime(Duration.ofHours(1)))).isTrue();
        assertThat(sameFamily(job(1), job(2).user("v"))).isTrue();
        assertThat(sameFamily(job(1), job(2).team("b"))).isFalse();
        var capped =
                Problem.of(two().userCap("a", 4).jobs(job(1), job(2).user("v")).snapshot());
        assertThat(capped.claimants().get(0).family())
                .isNotEqualTo(capped.claimants().get(1).family());
        var hour = Duration.ofHours(1);
        assertThat(sameFamily(job(1).prefer("rack", hour), job(2).prefer("rack", hour)))
                .isTrue();
        assertThat(sameFamily(
                        job(1).prefer("rack", hour).waitingSince(Duration.ofMinutes(1)),
                        job(2).prefer("rack", hour).waitingSince(Duration.ofMinutes(2))))
                .isTrue();
        assertThat(sameFamily(
                        job(1).prefer("rack", hour).waitingSince(Duration.ofMinutes(1)),
                        job(2).prefer("rack", hour).waitingSince(Duration.ofMinutes(61))))
                .as("one of them is patient no more")
                .isFalse();
        assertThat(sameFamily(job(1).waitingSince(Duration.ofMinutes(1)), job(2).waitingSince(Duration.ofMinutes(2))))
                .isTrue();
    }

    @Test
    void whoHasAHistoryOfItsOwnIsLikeNoOther() {
        for (var own : List.of(job(1).excluding("n1"), job(1).notBeside(9), job(1).imageUnseen())) {
            assertThat(read(own).claimants().getFirst().kind()).isEqualTo(Claimant.LIKE_NO_OTHER);
            assertThat(read(own).claimants().getFirst().family()).isEqualTo(Claimant.LIKE_NO_OTHER);
        }
        assertThat(read(job(1)).claimants().getFirst().kind()).isNotEqualTo(Claimant.LIKE_NO_OTHER);
        assertThat(sameKind(job(1).excluding("gone"), job(2))).isTrue();
    }

    @Test
    void occupantsStandInOrderOfTheirIds() {
        var problem = read(job(12).on("n1"), job(11).on("n2"), job(13).on("n1"), job(1), job(2));
        assertThat(problem.occupants()).extracting(o -> o.id().value()).containsExactly(11L, 12L, 13L);
        var back = problem.returning(problem.occupants().get(2));
        assertThat(back.number()).isEqualTo(2 + 2);
        assertThat(problem.returning(
                        Problem.of(two().jobs(job(9).team("archived").on("n1")).snapshot())
                                .occupants()
                                .getFirst()))
                .isNull();
    }

    @Test
    void whoWasSetAsideOrStartedWaitsNoLongerInTheWorldAfter() {
        var base = two().jobs(job(1), job(2), job(3));
        var problem = Problem.of(base.snapshot());
        problem.setAside(new JobId(2), new IllegalStateException("x"));
        var after = problem.after(new Scheduler().decide(two().jobs(job(1)).snapshot()));
        assertThat(after.claimants()).extracting(c -> c.id().value()).containsExactly(3L);
        assertThat(after.claimant(new JobId(2))).isNull();
        assertThat(after.claimant(new JobId(3))).isNotNull();
        assertThat(after.occupants()).extracting(o -> o.id().value()).containsExactly(1L);
    }

    private static WaitingJob waiting(Job job) {
        return two().jobs(job).snapshot().waiting().getFirst();
    }

    private static PolicySettings aging(Duration step, int perStep, int most) {
        return new PolicySettings(
                SHIPPED.minRuntime(),
                step,
                perStep,
                most,
                SHIPPED.reservationDepth(),
                SHIPPED.reservationExpiry(),
                SHIPPED.reclaimPercent(),
                SHIPPED.reclaimWindow(),
                SHIPPED.preemptionsPerDay(),
                SHIPPED.protectFor(),
                SHIPPED.usageStrength(),
                SHIPPED.defaultRunTime());
    }

    @Test
    void aClassIsEarnedByWaitingLongEnough() {
        var job = waiting(job(1).submitted(Duration.ofHours(10)).priority(7));
        assertThat(Aging.earnedAt(job, TeamOrder.FIFO, SHIPPED)).isEqualTo(NOW);
        assertThat(Aging.priority(job, TeamOrder.FIFO, SHIPPED, NOW)).isEqualTo(107);
        assertThat(Aging.priority(job, TeamOrder.FIFO, SHIPPED, NOW.minusMillis(1)))
                .isEqualTo(7);
        var again = waiting(job(1).submitted(Duration.ofHours(10)).waitingSince(Duration.ofHours(1)));
        assertThat(Aging.earnedAt(again, TeamOrder.FIFO, SHIPPED)).isEqualTo(NOW);
        assertThat(Aging.earnedAt(again, TeamOrder.FAIR_FINISH, SHIPPED))
                .as("who takes turns does not age")
                .isEqualTo(Instant.MAX);
    }

    @Test
    void withoutStepsNothingIsEarned() {
        var job = waiting(job(1).submitted(Duration.ofDays(10)));
        var hour = Duration.ofHours(1);
        for (var never : List.of(aging(hour, 10, 0), aging(hour, 0, 100), aging(Duration.ZERO, 10, 100))) {
            assertThat(Aging.earnedAt(job, TeamOrder.FIFO, never)).isEqualTo(Instant.MAX);
        }
        assertThat(Aging.earnedAt(job, TeamOrder.FIFO, aging(hour, 1, 1)))
                .isEqualTo(NOW.minus(Duration.ofDays(10)).plus(hour));
    }

    private static Occupant occupant(Job job) {
        return read(job).occupants().getFirst();
    }

    @Test
    void anOverdueJobIsGivenAsLongAgainAndAtLeastAMinute() {
        var minute = Duration.ofMinutes(1);
        var late = occupant(job(1).on("n1").walltime(minute).started(Duration.ofHours(3)));
        assertThat(late.promisedEnd(SHIPPED, NOW)).isEqualTo(NOW.plus(Duration.ofHours(3)));
        var young = occupant(job(1).on("n1").walltime(Duration.ofSeconds(1)).started(Duration.ofSeconds(9)));
        assertThat(young.promisedEnd(SHIPPED, NOW)).isEqualTo(NOW.plus(minute));
        var due = occupant(job(1).on("n1").walltime(minute).started(Duration.ofSeconds(9)));
        assertThat(due.promisedEnd(SHIPPED, NOW)).isEqualTo(NOW.plusSeconds(51));
    }

    @Test
    void anElasticJobWantsAllItsReplicasUnlessItEnds() {
        assertThat(occupant(job(1).elastic(2, 6).on("n1", "n1")).wanted()).isEqualTo(6);
        assertThat(occupant(job(1).elastic(2, 6).on("n1", "n1").leavingFor(2)).wanted())
                .isEqualTo(6);
        assertThat(occupant(job(1).elastic(2, 6).on("n1", "n1").stopping()).wanted())
                .isEqualTo(2);
        assertThat(occupant(job(1).on("n1", "n1")).wanted()).isEqualTo(2);
    }

    private static Reason.NeverFits never(Cluster cluster, Job job) {
        var snapshot = cluster.snapshot();
        return Options.never(
                new Fleet(snapshot.pools(), snapshot.nodes()),
                cluster.jobs(job).snapshot().waiting().getFirst().facts());
    }

    @Test
    void whatFitsNowhereIsToldTheLargestThatWould() {
        for (var types : List.of(List.of("A100", "H100"), List.of("H100", "A100"))) {
            var mixed = cluster()
                    .rack(
                            "r1",
                            node("x").type("A100").gpus(4),
                            node("y").type("H100").gpus(6))
                    .team("a");
            var reason = never(mixed, job(1).gpus(9).types(types.get(0), types.get(1)));
            assertThat(reason.largestGpus()).isEqualTo(6);
        }
        assertThat(never(two(), job(1).gpus(8))).isNull();
    }

    @Test
    void aJobOfPoolsThatAreNotThereIsToldItsOnlyPool() {
        assertThat(never(two(), job(1).pools("x")).pool()).isEqualTo(new PoolId("x"));
        assertThat(never(two(), job(1).pools("x", "y")).pool()).isNull();
    }

    @Test
    void aFleetIsTheSameWhileItsNodesAndLevelsAre() {
        var a = two().snapshot();
        var sameNodes = a.withWaiting(List.of());
        assertThat(SameFleet.in(a, sameNodes)).isTrue();
        assertThat(SameFleet.in(a, two().snapshot())).isFalse();
        assertThat(SameFleet.in(a, cluster().rack("r1", nodes("n", 1)).snapshot()))
                .isFalse();
        var none = cluster().snapshot();
        assertThat(SameFleet.in(none, cluster().pool("gpu", "block", "node").snapshot()))
                .isFalse();
        assertThat(SameFleet.in(none, cluster().reclaimedLately(3).snapshot())).isTrue();
    }

    @Test
    void ofEqualGroupsTheFirstGrowsFirst() {
        var one = Resources.gpus(1);
        var groups = List.of(new GroupShape("x", 3, 1, one), new GroupShape("y", 3, 1, one));
        assertThat(Sizes.of(groups, 1)).containsExactly(2, 1);
        assertThat(Sizes.of(groups, 3)).containsExactly(3, 2);
    }
}
