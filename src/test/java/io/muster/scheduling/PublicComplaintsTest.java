package io.muster.scheduling;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Reason;
import io.muster.model.Resources;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.plan.Aftermath;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.snapshot.ReservationView;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What people complained of in public about other schedulers, each as the behaviour that Muster shows instead. Those that
 * concern lives of jobs stand in {@code lifecycle}.
 */
class PublicComplaintsTest {

    /** kueue#10076. */
    @Test
    void aTerminatingPodStillHoldsItsGpusUntilItIsGone() {
        var base = cluster().rack("r1", nodes("n", 1)).team("a").jobs(job(1).gpus(8));
        assertThat(base.plan().started()).containsExactly(1L);
        var terminating = base.jobs(job(9).gpus(1).on("n1").stopping()).plan();
        assertThat(terminating.started()).isEmpty();
        assertThat(terminating.reason(1, Reason.Capacity.class).gpusFree()).isEqualTo(7);
    }

    /** kueue: a T4 counts like an A100. */
    @Test
    void smallGpusDoNotUseUpTheShareOfLargeOnes() {
        var base = cluster()
                .pool("t4", "rack", "node")
                .rack("r1", node("s1").type("T4"))
                .team("a", guaranteed(4))
                .team("b", guaranteed(4))
                .pool("a100", "rack", "node")
                .rack("r2", node("l1").type("A100"))
                .team("a", guaranteed(4))
                .team("b", guaranteed(4))
                .jobs(
                        job(9).team("a").gpus(8).pools("t4").on("s1"),
                        job(1).team("a").gpus(4).pools("a100").notPreemptible(),
                        job(2).team("b").gpus(4).pools("a100").notPreemptible());
        assertThat(base.plan().started()).containsExactlyInAnyOrder(1L, 2L);
    }

    /** kueue#4782. */
    @Test
    void guaranteesBeyondTheFleetShrinkInProportionAndSaySo() {
        var plan = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(12))
                .team("b", guaranteed(4))
                .jobs(waiting(1, 12, "a"))
                .jobs(waiting(101, 12, "b"))
                .plan();
        assertThat(plan.share("a").guaranteed()).isEqualTo(6);
        assertThat(plan.share("a").promised()).isEqualTo(12);
        assertThat(plan.share("b").guaranteed()).isEqualTo(2);
        assertThat(plan.share("a").allocated()).isEqualTo(6);
        assertThat(plan.share("b").allocated()).isEqualTo(2);
    }

    private static Job[] waiting(int from, int count, String team) {
        return IntStream.range(from, from + count)
                .mapToObj(i -> job(i).team(team).gpus(1))
                .toArray(Job[]::new);
    }

    /** kueue#14477: a queue 536 deep, one start per cycle. */
    @Test
    void allHeadsOfADeepQueueAreConsideredInOneCycle() {
        var plan = cluster()
                .rack("r1", nodes("n", 67))
                .team("a")
                .jobs(waiting(1, 536, "a"))
                .plan();
        assertThat(plan.started()).hasSize(536);
    }

    /** kueue#9715. */
    @Test
    void equalShapesThatFoundNoPlaceOnceAreNotTriedAgain() {
        var base = cluster()
                .rack("r1", nodes("n", 2))
                .team("a")
                .jobs(job(9001).gpus(1).on("n1"), job(9002).gpus(1).on("n2"));
        var few = searches(base.jobs(job(1).gpus(8), job(2).gpus(8)));
        var many = searches(
                base.jobs(IntStream.range(3, 500).mapToObj(i -> job(i).gpus(8)).toArray(Job[]::new)));
        assertThat(few).isPositive();
        assertThat(many).isEqualTo(few);
    }

    private static long searches(Cluster cluster) {
        return new Scheduler().settle(cluster.snapshot()).last().effort().places();
    }

    /** kueue#8309. */
    @Test
    void aBlockedJobBlocksOnlyThoseThatCompeteForItsPool() {
        var plan = cluster()
                .pool("x", "rack", "node")
                .rack("r1", nodes("x", 1))
                .pool("y", "rack", "node")
                .rack("r1", nodes("y", 1))
                .team("a")
                .jobs(
                        job(9).gpus(8).pools("x").on("x1"),
                        job(1).gpus(8).pools("x").priority(100),
                        job(2).gpus(8).pools("y"))
                .plan();
        assertThat(plan.started()).containsExactly(2L);
    }

    /** volcano#3373. */
    @Test
    void twoGangsNeverHoldHalfEach() {
        var plan = cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(16))
                .team("b", guaranteed(16))
                .jobs(
                        job(1).team("a").replicas(3).gpus(8),
                        job(2).team("b").replicas(3).gpus(8))
                .plan();
        assertThat(plan.started()).hasSize(1);
        assertThat(plan.nodesOf(plan.started().getFirst())).hasSize(3);
    }

    /** KAI#1968: a gang of which some replicas have succeeded is not torn down, and what they left is used. */
    @Test
    void aFinishingGangKeepsWhatStillRunsAndFreesTheRest() {
        var finishing = job(9).team("a").group("done", 1, Resources.gpus(8)).on("n1");
        var plan = cluster()
                .rack("r1", nodes("n", 2))
                .team("a")
                .jobs(finishing, job(1).team("a").gpus(8))
                .plan();
        assertThat(plan.plan().decisions()).hasSize(1);
        assertThat(plan.nodesOf(1)).containsExactly("n2");
    }

    /** KAI#1969, volcano#2384. */
    @Test
    void aStreamOfSmallJobsDoesNotStarveALargeGang() {
        var base = cluster()
                .rack("r1", nodes("n", 2))
                .team("a", guaranteed(16))
                .jobs(
                        job(9).gpus(4).on("n1").walltime(Duration.ofHours(2)),
                        job(1).replicas(2).gpus(8).submitted(Duration.ofHours(3)));
        var reserved = base.plan();
        assertThat(reserved.reserves())
                .singleElement()
                .satisfies(r -> assertThat(r.job()).isEqualTo(job(1).jobId()));
        var stream = base.jobs(IntStream.range(2, 40)
                        .mapToObj(i -> job(i).gpus(1).notPreemptible().walltime(Duration.ofHours(4)))
                        .toArray(Job[]::new))
                .plan();
        assertThat(stream.started()).isEmpty();
        assertThat(stream.reserves()).hasSize(1);
    }

    /** volcano#4926, volcano#5994. */
    @Test
    void nobodyYieldsWhomThePlacementDoesNotNeed() {
        var plan = cluster()
                .rack("r1", nodes("n", 3))
                .team("a")
                .jobs(
                        job(11).gpus(2).on("n1").priority(-100),
                        job(12).gpus(6).on("n1").priority(-100),
                        job(13).gpus(8).on("n2").priority(-100),
                        job(14).gpus(8).on("n3").priority(-100),
                        job(1).gpus(2).priority(100))
                .plan();
        assertThat(plan.victims()).containsExactly(11L);
    }

    /** kueue#13662. */
    @Test
    void freedGpusAreKeptForTheBeneficiary() {
        var kept = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .team("b", guaranteed(0))
                .jobs(
                        job(1).team("a").gpus(8).backoff(Duration.ofMinutes(5)),
                        job(2).team("b").gpus(1).submitted(Duration.ofHours(9)))
                .reserve(ReservationView.Kind.VICTIMS, 1, null, 8, "n1");
        assertThat(kept.plan().started())
                .as("a beneficiary that may not start loses them")
                .containsExactly(2L);
        var waiting = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .team("b", guaranteed(0))
                .jobs(
                        job(9).team("b").gpus(4).on("n1").leavingFor(1),
                        job(1).team("a").gpus(8),
                        job(2).team("b").gpus(1).submitted(Duration.ofHours(9)))
                .reserve(ReservationView.Kind.VICTIMS, 1, null, 8, "n1");
        assertThat(waiting.plan().started()).isEmpty();
    }

    /** kueue#14543. */
    @Test
    void noPairOfJobsEvictsEachOtherInTurn() {
        var base = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(4))
                .team("b", guaranteed(4))
                .jobs(
                        job(11).team("a").gpus(4).on("n1"),
                        job(12).team("a").gpus(4).on("n1"),
                        job(1).team("b").gpus(4));
        var first = base.plan();
        assertThat(first.victims()).hasSize(1);
        var taken = first.victims().getFirst();
        var after = Aftermath.of(first.snapshot(), first.plan().decisions());
        assertThat(new Scheduler().plan(after).decisions()).isEmpty();
        var turned = cluster()
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(4))
                .team("b", guaranteed(4))
                .jobs(
                        job(taken == 11 ? 12 : 11).team("a").gpus(4).on("n1"),
                        job(1).team("b").gpus(4).on("n1").started(Duration.ofHours(1)),
                        job(taken).team("a").gpus(4).priority(0));
        assertThat(turned.plan().victims()).isEmpty();
    }

    /** skypilot#10155. */
    @Test
    void whatRunsOnANodeThatIsOutOfReachIsLeftAlone() {
        var plan = cluster()
                .rack("r1", node("n1").cordoned(), node("n2"))
                .team("a", guaranteed(16))
                .jobs(job(9).gpus(8).on("n1"), job(1).gpus(8), job(2).gpus(8))
                .plan();
        assertThat(plan.started()).hasSize(1);
        assertThat(plan.plan().decisions()).noneMatch(d -> d.job().value() == 9);
        assertThat(plan.plan().decisions()).noneMatch(Decision.Stop.class::isInstance);
        assertThat(plan.share("a").allocated()).isEqualTo(16);
    }
}
