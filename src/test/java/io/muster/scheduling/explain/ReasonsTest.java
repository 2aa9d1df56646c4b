package io.muster.scheduling.explain;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.NOW;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.muster.model.Holder;
import io.muster.model.NodeGap;
import io.muster.model.PoolId;
import io.muster.model.Reason;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.build.Planned;
import io.muster.scheduling.snapshot.ModeView;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.ReservationView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What those who wait are told, number by number. */
class ReasonsTest {

    private static Holder holder(@Nullable Integer job, int gpus, @Nullable Instant end) {
        return job == null
                ? new Holder(null, null, gpus, null)
                : new Holder(job(job).jobId(), Ids.team("a"), gpus, end);
    }

    private static Instant in(int minutes) {
        return NOW.plus(Duration.ofMinutes(minutes));
    }

    private static Cluster full() {
        return cluster().rack("r1", nodes("n", 2)).team("a", guaranteed(16));
    }

    @Test
    void whoHoldsAPoolIsToldTheLargestFirstWithWhenTheyEnd() {
        var planned = cluster()
                .rack("r1", node("n1"), node("n2").foreign(4))
                .team("a", guaranteed(16))
                .jobs(
                        job(13).gpus(1).on("n2").expectedToEndIn(Duration.ofMinutes(30)),
                        job(12).gpus(4).on("n1").walltime(Duration.ofHours(2)),
                        job(11).gpus(3).on("n1", "n2").expectedToEndIn(Duration.ofMinutes(-5)),
                        job(1).replicas(2).gpus(8))
                .plan();
        assertThat(planned.reason(1, Reason.Capacity.class).holders())
                .containsExactly(
                        holder(11, 6, null), holder(12, 4, in(60)), holder(null, 4, null), holder(13, 1, in(30)));
    }

    @Test
    void ofManyHoldersTheEightLargestAreToldEqualsById() {
        var crowd = full();
        for (int i = 1; i <= 15; i++) {
            crowd.jobs(job(10 + i).gpus(i == 15 ? 2 : 1).on(i <= 8 ? "n1" : "n2"));
        }
        var holders = crowd.jobs(job(1).replicas(2).gpus(8))
                .plan()
                .reason(1, Reason.Capacity.class)
                .holders();
        assertThat(holders).extracting(h -> h.job().value()).containsExactly(25L, 11L, 12L, 13L, 14L, 15L, 16L, 17L);
    }

    @Test
    void theNodesWithMostFreeAreShownInTheirOrder() {
        var planned = cluster()
                .rack("r1", node("n1").foreign(3), node("n2"))
                .team("a", guaranteed(16))
                .jobs(job(12).gpus(4).on("n2"), job(1).gpus(8))
                .plan();
        assertThat(planned.reason(1, Reason.Fragmentation.class).nearest())
                .extracting(NodeGap::free, NodeGap::holders)
                .containsExactly(tuple(5, List.of(holder(null, 3, null))), tuple(4, List.of(holder(12, 4, null))));

        var wide = cluster().rack("r1", nodes("n", 9)).team("a", guaranteed(100));
        for (int i = 1; i <= 9; i++) {
            wide.jobs(job(10 + i).gpus(i == 4 ? 7 : 5).on("n" + i));
        }
        assertThat(wide.jobs(job(1).gpus(8))
                        .plan()
                        .reason(1, Reason.Fragmentation.class)
                        .nearest())
                .extracting(g -> g.node().value())
                .containsExactly("n1", "n2", "n3", "n5", "n6", "n7", "n8", "n9");
    }

    @Test
    void enoughInSumIsNoLackOfCapacity() {
        var halves = full().jobs(job(11).gpus(4).on("n1"), job(12).gpus(4).on("n2"));
        assertThat(halves.jobs(job(1).gpus(8)).plan().reasons(1)).startsWith("fragmentation");
        var less = full().jobs(job(11).gpus(4).on("n1"), job(12).gpus(5).on("n2"), job(1).gpus(8));
        assertThat(less.plan().reasons(1)).startsWith("capacity");
    }

    @Test
    void enoughReplicasInSumButNotInOneDomainIsAMatterOfTopology() {
        var racks = cluster()
                .rack("r1", nodes("a", 1))
                .rack("r2", nodes("b", 1))
                .rack("r3", node("c1").gpus(16).cordoned())
                .team("a", guaranteed(32))
                .jobs(
                        job(11).gpus(4).on("a1"),
                        job(12).gpus(4).on("b1"),
                        job(1).replicas(2).gpus(4).require("rack"));
        var reason = racks.plan().reason(1, Reason.Topology.class);
        assertThat(reason.best().names()).containsExactly("r1");
        assertThat(reason.replicasFit()).isEqualTo(1);
    }

    @Test
    void whatIsClosedIsTold() {
        var closed = cluster()
                .rack("r1", node("n1"), node("n2").gpus(16).cordoned())
                .team("a", guaranteed(24))
                .jobs(job(11).gpus(4).on("n1"), job(1).gpus(8));
        assertThat(closed.plan().reason(1, Reason.Capacity.class).gpusFree()).isEqualTo(4);
        assertThat(closed.plan().reason(1, Reason.Capacity.class).gpusUnavailable())
                .isEqualTo(16);
    }

    @Test
    void whatAJobMayNotUseIsNotFreeForIt() {
        var planned = full().settings(withoutHeads())
                .jobs(
                        job(11).gpus(5).on("n1"),
                        job(12).gpus(6).on("n2"),
                        job(1).gpus(8).excluding("n1"),
                        job(2).gpus(8))
                .plan();
        assertThat(planned.reason(1, Reason.Capacity.class).gpusFree()).isEqualTo(2);
        assertThat(planned.reason(2, Reason.Capacity.class).gpusFree()).isEqualTo(5);
    }

    /** The policy as shipped, but nothing is reserved for those who are blocked. */
    private static PolicySettings withoutHeads() {
        var s = PolicySettings.SHIPPED;
        return new PolicySettings(
                s.minRuntime(),
                s.agingStep(),
                s.agingPerStep(),
                s.agingMost(),
                0,
                s.reservationExpiry(),
                s.reclaimPercent(),
                s.reclaimWindow(),
                s.preemptionsPerDay(),
                s.protectFor(),
                s.usageStrength(),
                s.defaultRunTime());
    }

    @Test
    void whatIsReservedComesAfterALackThatWouldStopTheJobAnyway() {
        var kept = full().jobs(
                        job(11).gpus(8).on("n2"),
                        job(2).gpus(8),
                        job(20).gpus(8).on("n1").leavingFor(2))
                .reserve(ReservationView.Kind.VICTIMS, 2, null, 8, "n1");
        assertThat(kept.jobs(job(1).replicas(2).gpus(8)).plan().reasons(1)).containsSubsequence("capacity", "reserved");
    }

    @Test
    void equalJobsOfUsersAreToldApartWhereUsersAreCapped() {
        var planned = full().userCap("a", 2)
                .jobs(
                        job(11).gpus(2).on("n1"),
                        job(12).user("w").gpus(6).on("n1"),
                        job(13).user("x").gpus(8).on("n2"),
                        job(1).gpus(2),
                        job(2).gpus(2).user("v"))
                .plan();
        assertThat(planned.reasons(1)).startsWith("user-limit");
        assertThat(planned.reasons(2)).startsWith("capacity");
    }

    @Test
    void equalJobsAreToldWhenTheirOwnPatienceEnds() {
        var planned = cluster()
                .rack("r1", nodes("a", 1))
                .rack("r2", nodes("b", 1))
                .team("a", guaranteed(16))
                .settings(withoutHeads())
                .jobs(
                        job(11).gpus(4).on("a1"),
                        job(12).gpus(4).on("b1"),
                        job(1).replicas(2)
                                .gpus(4)
                                .prefer("rack", Duration.ofHours(1))
                                .waitingSince(Duration.ofMinutes(9)),
                        job(2).replicas(2)
                                .gpus(4)
                                .prefer("rack", Duration.ofHours(1))
                                .waitingSince(Duration.ofMinutes(4)))
                .plan();
        assertThat(planned.reason(1, Reason.Topology.class).relaxesAt()).isEqualTo(in(51));
        assertThat(planned.reason(2, Reason.Topology.class).relaxesAt()).isEqualTo(in(56));
    }

    @Test
    void theTeamWhoseShareIsInUseIsNamedFromBelow() {
        var base = cluster()
                .rack("r1", nodes("n", 2))
                .team("b", guaranteed(8))
                .team("r", guaranteed(8))
                .team("r/a", guaranteed(6))
                .team("r/c")
                .jobs(
                        job(11).team("b").gpus(8).notPreemptible().on("n1"),
                        job(12).team("r/c").gpus(3).notPreemptible().on("n2"),
                        job(1).team("r/a").gpus(6));
        assertThat(base.plan().reason(1, Reason.QuotaInUse.class).team()).isEqualTo(Ids.team("r"));
        var leaf = cluster()
                .rack("r1", nodes("n", 2))
                .team("b", guaranteed(8))
                .team("r", guaranteed(8))
                .team("r/a", guaranteed(4))
                .team("r/c", guaranteed(4))
                .jobs(
                        job(11).team("b").gpus(8).notPreemptible().on("n1"),
                        job(12).team("r/c").gpus(4).notPreemptible().on("n2"),
                        job(1).team("r/a").gpus(5));
        assertThat(leaf.plan().reason(1, Reason.QuotaInUse.class).team()).isEqualTo(Ids.team("r/a"));
    }

    private static Cluster ending(int first, int second) {
        return full().jobs(
                        job(11).gpus(8).on("n1").walltime(Duration.ofMinutes(60 + first)),
                        job(12).gpus(8).on("n2").walltime(Duration.ofMinutes(60 + second)));
    }

    private static @Nullable Instant likely(Planned planned, long job) {
        return planned.explanation(job).expectedStart();
    }

    @Test
    void startsAreExpectedInOrderAsOthersEnd() {
        var planned = ending(180, 90)
                .jobs(job(1).gpus(8).submitted(Duration.ofHours(9)), job(2).gpus(8), job(3).gpus(8))
                .plan();
        assertThat(likely(planned, 1)).isEqualTo(in(90));
        assertThat(likely(planned, 2)).isEqualTo(in(180));
        assertThat(planned.explanation(2).latestStart()).isEqualTo(in(180));
        assertThat(likely(planned, 3)).isNull();
    }

    @Test
    void aWalltimeEndsALearnedRunTime() {
        var planned = full().jobs(
                        job(11).gpus(8).on("n1").walltime(Duration.ofHours(2)).expectedToEndIn(Duration.ofHours(3)),
                        job(12).gpus(8).on("n2").walltime(Duration.ofHours(5)).expectedToEndIn(Duration.ofHours(2)),
                        job(1).gpus(8).submitted(Duration.ofHours(9)),
                        job(2).gpus(8))
                .plan();
        assertThat(likely(planned, 2)).isEqualTo(in(120));
        assertThat(planned.explanation(2).latestStart()).isEqualTo(in(240));
    }

    @Test
    void whatStartsNowEndsByItsWalltimeToo() {
        var planned = cluster()
                .rack("r1", nodes("n", 3))
                .team("a", guaranteed(24))
                .jobs(
                        job(11).gpus(4).on("n2").walltime(Duration.ofHours(2)),
                        job(12).gpus(4).on("n2"),
                        job(13).gpus(4).on("n3").walltime(Duration.ofHours(3)),
                        job(14).gpus(4).on("n3"),
                        job(1).gpus(8).submitted(Duration.ofHours(9)).walltime(Duration.ofHours(5)),
                        job(2).gpus(8).submitted(Duration.ofHours(8)),
                        job(3).gpus(8))
                .plan();
        assertThat(planned.started()).containsExactly(1L);
        assertThat(planned.explanation(3).latestStart()).isAfterOrEqualTo(in(300));
    }

    @Test
    void nobodyKnowsWhenAPauseEnds() {
        var team = new ModeView(null, null, null, Map.of(), Map.of(Ids.team("a"), "x"));
        var pool = new ModeView(null, null, null, Map.of(new PoolId("gpu"), "x"), Map.of());
        for (var mode : List.of(team, pool)) {
            var planned = ending(30, 60).jobs(job(1).gpus(8)).mode(mode).plan();
            assertThat(likely(planned, 1)).isNull();
            assertThat(planned.explanation(1).latestStart()).isNull();
        }
        assertThat(likely(ending(30, 60).jobs(job(1).gpus(8)).plan(), 1)).isEqualTo(in(30));
    }

    @Test
    void aJobOfTwoPoolsIsExpectedInTheOneInWhichItStands() {
        var planned = cluster()
                .pool("gpu", "rack", "node")
                .rack("r1", nodes("n", 1))
                .team("a", guaranteed(8))
                .pool("other", "rack", "node")
                .rack("r2", nodes("m", 1))
                .jobs(
                        job(11).pools("gpu").gpus(8).on("n1").walltime(Duration.ofHours(4)),
                        job(12).pools("other").gpus(8).on("m1").walltime(Duration.ofHours(2)),
                        job(1).pools("gpu", "other").gpus(8).submitted(Duration.ofHours(9)),
                        job(2).pools("gpu", "other").gpus(8))
                .plan();
        assertThat(planned.explanation(1).latestStart()).isEqualTo(in(180));
    }
}
