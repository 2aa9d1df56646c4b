package io.muster.scheduling.verify;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.nodes;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.AttemptId;
import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.build.Quota;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.verify.Breach.Rule;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans that break a rule of shapes are caught, and good ones are not. */
class ShapeRulesTest {
    private static final PoolId POOL = new PoolId("gpu");
    private static final Duration LONG = Duration.ofHours(2);
    private static final Quota SHAPED = guaranteed(8).shape(1, "node", 8);

    private static Decision.Start start(long job, int gpus, String node) {
        var on = List.of(new ReplicaPlacement("main", 0, new NodeId(node), Resources.gpus(gpus)));
        return new Decision.Start(new JobId(job), POOL, new GpuTypeId("H100"), on, null, DomainPath.POOL, false, null);
    }

    private static Decision.RequestCheckpoint takes(long victim, int gpus) {
        return new Decision.RequestCheckpoint(
                new JobId(victim), new AttemptId(new JobId(victim), 1), new JobId(1), Cause.SHAPE, gpus, 0, true);
    }

    private static Decision.Reserve keeps(String node, long... victims) {
        var ids = Arrays.stream(victims).mapToObj(JobId::new).toList();
        return new Decision.Reserve(
                new JobId(1),
                POOL,
                Decision.Reserve.Kind.VICTIMS,
                start(1, 8, node).placements(),
                null,
                ids);
    }

    private static List<Rule> rules(Cluster cluster, Decision... decisions) {
        var snapshot = cluster.snapshot();
        var shares = new Scheduler().plan(snapshot).shares();
        return PlanVerifier.verify(snapshot, new SchedulingPlan(List.of(decisions), List.of(), shares)).stream()
                .map(Breach::rule)
                .distinct()
                .toList();
    }

    private static Cluster world(Quota island, Job... jobs) {
        return cluster()
                .rack("r1", nodes("n", 2))
                .team("island", island)
                .team("crowd", guaranteed(8))
                .jobs(jobs);
    }

    @Test
    void aStartOnAKeptNodeWhileAnotherHasRoom() {
        // Crowd uses n1 already, so n2 is kept.
        var world = world(
                SHAPED,
                job(9).team("crowd").gpus(2).on("n1").started(LONG),
                job(2).team("crowd").gpus(1));
        assertThat(rules(world, start(2, 1, "n1"))).isEmpty();
        assertThat(rules(world, start(2, 1, "n2"))).containsExactly(Rule.KEPT_FOR_SHAPE);
    }

    @Test
    void theOwnerAndWhoHasNoOtherPlaceMayStartThere() {
        var owner = world(
                SHAPED,
                job(9).team("crowd").gpus(2).on("n1").started(LONG),
                job(2).team("island").gpus(1));
        assertThat(rules(owner, start(2, 1, "n2"))).isEmpty();
        var full = world(
                SHAPED,
                job(9).team("crowd").gpus(8).on("n1").started(LONG),
                job(2).team("crowd").gpus(1));
        assertThat(rules(full, start(2, 1, "n2"))).isEmpty();
    }

    private static Job borrower() {
        return job(9).team("crowd").gpus(2).on("n1").started(LONG);
    }

    private static Job gang() {
        return job(1).team("island").gpus(8);
    }

    @Test
    void aRightfulTakingPasses() {
        var world =
                world(SHAPED, borrower(), job(8).team("crowd").gpus(3).on("n2").started(LONG), gang());
        assertThat(rules(world, takes(9, 2), keeps("n1", 9))).isEmpty();
    }

    @Test
    void takingWithoutAShapeOrForAnotherShape() {
        var other = job(8).team("crowd").gpus(3).on("n2").started(LONG);
        assertThat(rules(world(guaranteed(8), borrower(), other, gang()), takes(9, 2), keeps("n1", 9)))
                .containsExactly(Rule.VICTIM_RULE);
        var four = guaranteed(8).shape(2, "node", 4);
        assertThat(rules(world(four, borrower(), other, gang()), takes(9, 2), keeps("n1", 9)))
                .containsExactly(Rule.VICTIM_RULE);
    }

    @Test
    void takingBeyondTheGuarantee() {
        var world =
                world(SHAPED, borrower(), job(7).team("island").gpus(1).on("n2").started(LONG), gang());
        assertThat(rules(world, takes(9, 2), keeps("n1", 9))).contains(Rule.VICTIM_RULE);
    }

    @Test
    void takingFromTheFirmFromTheYoungAndFromThoseWhoGoAcrossTeams() {
        assertThat(rules(world(SHAPED, borrower().notPreemptible(), gang()), takes(9, 2), keeps("n1", 9)))
                .contains(Rule.VICTIM_PROTECTED);
        assertThat(rules(world(SHAPED, borrower().started(Duration.ofMinutes(1)), gang()), takes(9, 2), keeps("n1", 9)))
                .contains(Rule.VICTIM_PROTECTED);
        assertThat(rules(world(SHAPED, borrower().production(8), gang()), takes(9, 2), keeps("n1", 9)))
                .contains(Rule.VICTIM_RULE);
    }

    @Test
    void takingFromAJobThatAShapeOfItsOwnTeamCovers() {
        var world = cluster()
                .rack("r1", nodes("n", 2))
                .team("island", SHAPED)
                .team("crowd", guaranteed(8).shape(1, "node", 3))
                .jobs(borrower(), gang());
        assertThat(rules(world, takes(9, 2), keeps("n1", 9))).containsExactly(Rule.VICTIM_RULE);
    }

    @Test
    void takingFromWhoIsNotInTheWay() {
        var world =
                world(SHAPED, borrower(), job(8).team("crowd").gpus(3).on("n2").started(LONG), gang());
        assertThat(rules(world, takes(9, 2), takes(8, 3), keeps("n1", 9, 8))).containsExactly(Rule.VICTIM_NOT_NEEDED);
    }
}
