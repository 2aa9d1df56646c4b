package io.muster.scheduling.verify;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static io.muster.scheduling.verify.Plans.POOL;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.PoolId;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.verify.Tree.Step;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShareFactsTest {
    private static final Step A = new Step(Ids.team("a"), false);

    private static ShareFacts facts(Cluster cluster) {
        return new ShareFacts(cluster.snapshot());
    }

    private static Cluster two() {
        return cluster().rack("r1", nodes("n", 2)).team("a", guaranteed(16));
    }

    private static JobFacts of(Job job) {
        return job.facts(List.of("gpu"));
    }

    @Test
    void aClosedNodeCountsWithWhatItStillHolds() {
        var facts = facts(cluster()
                .rack(
                        "r1",
                        node("n1").foreign(3),
                        node("n2").cordoned(),
                        node("n3").cordoned())
                .team("a")
                .jobs(job(11).gpus(2).on("n2"), job(12).gpus(1).on("n1")));
        assertThat(facts.capacity(POOL)).isEqualTo(5 + 2);
    }

    @Test
    void anElasticJobWantsAllItsReplicasUnlessItEnds() {
        assertThat(facts(two().jobs(job(1).elastic(2, 6).on("n1", "n1"))).demand(A, POOL))
                .isEqualTo(6);
        assertThat(facts(two().jobs(job(1).elastic(2, 6).on("n1", "n1").leavingFor(2)))
                        .demand(A, POOL))
                .isEqualTo(6);
        assertThat(facts(two().jobs(job(1).elastic(2, 6).on("n1", "n1").stopping()))
                        .demand(A, POOL))
                .isEqualTo(2);
        assertThat(facts(two().jobs(job(1).on("n1", "n1"))).demand(A, POOL)).isEqualTo(2);
        assertThat(facts(two().jobs(job(1).elastic(6, 6).on("n1", "n1"))).demand(A, POOL))
                .isEqualTo(2);
    }

    @Test
    void anElasticJobThatIsStoppedWantsNoMoreThanItHolds() {
        var cluster =
                two().jobs(job(1).elastic(2, 6).on("n1", "n1"), job(2).gpus(3).on("n2"));
        var facts = facts(cluster);
        cluster.snapshot().running().forEach(facts::ends);
        assertThat(facts.demand(A, POOL)).isEqualTo(2 + 3);
    }

    @Test
    void whatNoNumberCanSayStandsInNoOrder() {
        var cluster = two().jobs(
                        job(1).gpus(2),
                        job(2).gpus(-1),
                        job(3).replicas(1 << 16).gpus(1 << 16),
                        job(4).team("archived"),
                        job(5).backoff(Duration.ofMinutes(1)),
                        job(6).gpus(9));
        var facts = facts(cluster);
        assertThat(cluster.snapshot().waiting().stream()
                        .filter(w -> facts.standsIn(w, POOL))
                        .map(w -> w.id().value()))
                .containsExactly(1L);
        assertThat(facts.standsIn(cluster.snapshot().waiting().getFirst(), new PoolId("other")))
                .isFalse();
        assertThat(facts.demand(A, POOL)).isEqualTo(2);
        assertThat(facts.knows(Ids.team("a"))).isTrue();
        assertThat(facts.knows(Ids.team("archived"))).isFalse();
    }

    @Test
    void aUserWantsNoMoreThanTheCap() {
        var capped = two().userCap("a", 3)
                .jobs(job(1).gpus(2), job(2).gpus(2), job(3).gpus(1).user("v"));
        assertThat(facts(capped).demand(A, POOL)).isEqualTo(3 + 1);
    }

    @Test
    void whatIsPromisedCountsForItsOwner() {
        assertThat(facts(two().jobs(job(1).gpus(8)).reserve(ReservationView.Kind.VICTIMS, 1, null, 8, "n1"))
                        .allocated(A, POOL))
                .isEqualTo(8);
        assertThat(facts(two().jobs(job(1).gpus(8)).reserve(ReservationView.Kind.HEAD, 1, null, 8, "n1"))
                        .allocated(A, POOL))
                .isZero();
        assertThat(facts(two().jobs(job(11).gpus(4).on("n1").leavingFor(1))
                                .reserve(ReservationView.Kind.MOVE, 11, null, 4, "n2"))
                        .allocated(A, POOL))
                .isEqualTo(4);
        assertThat(facts(two().jobs(job(11).gpus(4).on("n1")).reserve(ReservationView.Kind.MOVE, 11, null, 4, "n2"))
                        .allocated(A, POOL))
                .isEqualTo(4);
    }

    @Test
    void whoLeavesForAnotherHoldsNothingAndWhoJustEndsDoes() {
        assertThat(facts(two().jobs(job(11).gpus(4).on("n1").leavingFor(1))).allocated(A, POOL))
                .isZero();
        assertThat(facts(two().jobs(job(11).gpus(4).on("n1").stopping())).allocated(A, POOL))
                .isEqualTo(4);
    }

    @Test
    void onlyWhatCannotYieldIsFirm() {
        var facts = facts(two().jobs(
                        job(11).gpus(4).on("n1").notPreemptible(),
                        job(12).gpus(3).on("n1")));
        assertThat(facts.firm(A, POOL)).isEqualTo(4);
        assertThat(facts.allocated(A, POOL)).isEqualTo(7);
    }

    @Test
    void aJobThatStartsElsewhereThanItQueuedWantsItsGpusThere() {
        var cluster = cluster()
                .pool("gpu", "rack", "node")
                .rack("r1", nodes("n", 1))
                .pool("other", "rack", "node")
                .rack("r2", nodes("m", 1))
                .team("a", guaranteed(8))
                .jobs(job(1).gpus(4));
        var facts = facts(cluster);
        var other = new PoolId("other");
        assertThat(facts.demand(A, POOL)).isEqualTo(4);
        facts.started(cluster.snapshot().waiting().getFirst().facts(), other);
        assertThat(facts.demand(A, POOL)).isZero();
        assertThat(facts.demand(A, other)).isEqualTo(4);
        var again = facts(cluster);
        again.started(cluster.snapshot().waiting().getFirst().facts(), POOL);
        assertThat(again.demand(A, POOL)).isEqualTo(4);
    }

    @Test
    void aPrivilegeEndsAtTheCapOfItsClass() {
        var facts = facts(two().jobs(
                        job(11).production(8).gpus(4).on("n1"), job(12).gpus(4).on("n1")));
        assertThat(facts.heldByClass("production", POOL)).isEqualTo(4);
        assertThat(facts.isPrivileged(of(job(1).production(8)), POOL, 4)).isTrue();
        assertThat(facts.isPrivileged(of(job(1).production(8)), POOL, 5)).isFalse();
        assertThat(facts.isPrivileged(of(job(1).production(null)), POOL, 99)).isTrue();
        assertThat(facts.isPrivileged(of(job(1)), POOL, 1)).isFalse();
    }

    @Test
    void whatTeamsBesideTheWayToTheTopKeepIsNotLent() {
        var cluster = cluster()
                .rack("r1", nodes("n", 3))
                .team("a", guaranteed(3).lendable(0))
                .team("r", guaranteed(4))
                .team("r/x", guaranteed(2).lendable(0))
                .team("r/y")
                .jobs(
                        job(11).team("r/y").gpus(5).on("n1"),
                        job(12).team("archived").gpus(1).on("n2"));
        var facts = facts(cluster);
        assertThat(facts.lent(Ids.team("r/y"), POOL)).isEqualTo(24 - 5 - 3 - 2);
        assertThat(facts.lent(Ids.team("r/x"), POOL)).isEqualTo(24 - 5 - 3);
    }

    @Test
    void jobsOfAnInnerTeamMayHoldFirmlyWhatItHasNotPromisedBelow() {
        var facts = facts(cluster()
                .rack("r1", nodes("n", 3))
                .team("r", guaranteed(10))
                .team("r/a", guaranteed(4))
                .jobs(job(1).team("r")));
        assertThat(facts.firmBound(Ids.team("r"), POOL)).isEqualTo(6);
        assertThat(facts.firmBound(Ids.team("r/a"), POOL)).isEqualTo(4);
    }
}
