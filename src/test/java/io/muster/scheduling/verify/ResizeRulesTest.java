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
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.verify.Breach.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Good plans for elastic jobs, each broken in one way at a time. */
class ResizeRulesTest {
    private static final PoolId POOL = new PoolId("gpu");

    private static List<ReplicaPlacement> on(String... nodes) {
        var on = new ArrayList<ReplicaPlacement>();
        for (int i = 0; i < nodes.length; i++) {
            on.add(new ReplicaPlacement("main", i, new NodeId(nodes[i]), Resources.gpus(8)));
        }
        return on;
    }

    private static Decision.Start start(long job, String... nodes) {
        return new Decision.Start(
                new JobId(job), POOL, new GpuTypeId("H100"), on(nodes), null, DomainPath.POOL, false, null);
    }

    private static Decision.RequestCheckpoint ask(long job, long beneficiary, Cause cause, int freed) {
        return new Decision.RequestCheckpoint(
                new JobId(job), new AttemptId(new JobId(job), 1), new JobId(beneficiary), cause, freed, 0, true);
    }

    private static Decision.Reserve keep(long job, long victim, String... nodes) {
        return new Decision.Reserve(
                new JobId(job), POOL, Decision.Reserve.Kind.VICTIMS, on(nodes), null, List.of(new JobId(victim)));
    }

    private static List<Rule> rules(Cluster cluster, Decision... decisions) {
        return PlanVerifier.verify(cluster.snapshot(), new SchedulingPlan(List.of(decisions), List.of(), List.of()))
                .stream()
                .map(Breach::rule)
                .distinct()
                .toList();
    }

    private static Cluster four(Job... jobs) {
        return cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(32))
                .team("b", guaranteed(0))
                .jobs(jobs);
    }

    private static Job waits() {
        return job(1).elastic(2, 3).gpus(8);
    }

    private static Job runs() {
        return job(1).elastic(2, 4).gpus(8).on("n1", "n2").checkpointed(Duration.ofMinutes(5));
    }

    @Test
    void anySizeBetweenTheFewestAndAllIsWhole() {
        assertThat(rules(four(waits()), start(1, "n1", "n2"))).isEmpty();
        assertThat(rules(four(waits()), start(1, "n1", "n2", "n3"))).isEmpty();
        assertThat(rules(four(waits()), start(1, "n1"))).containsExactly(Rule.GANG_NOT_WHOLE);
        assertThat(rules(four(waits()), start(1, "n1", "n2", "n3", "n4"))).containsExactly(Rule.GANG_NOT_WHOLE);
    }

    @Test
    void aStartCountsWhatItHasNotWhatItAsksFor() {
        var limited = cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(16).limit(16))
                .jobs(waits());
        assertThat(rules(limited, start(1, "n1", "n2"))).isEmpty();
        assertThat(rules(limited, start(1, "n1", "n2", "n3"))).contains(Rule.TEAM_LIMIT);
    }

    @Test
    void goodGrowthPasses() {
        assertThat(rules(four(runs()), ask(1, 1, Cause.RESIZE, 0), keep(1, 1, "n1", "n2", "n3", "n4")))
                .isEmpty();
    }

    @Test
    void growthThatIsNoneOrHasNoPlaceOrAnotherCause() {
        assertThat(rules(four(runs()), ask(1, 1, Cause.RESIZE, 0))).containsExactly(Rule.RESIZE);
        assertThat(rules(four(runs()), keep(1, 1, "n1", "n2", "n3"))).containsExactly(Rule.RESIZE);
        assertThat(rules(four(runs()), ask(1, 1, Cause.RESIZE, 0), keep(1, 1, "n3", "n4")))
                .containsExactly(Rule.RESIZE);
        assertThat(rules(four(runs()), ask(1, 1, Cause.RECLAIM, 0), keep(1, 1, "n1", "n2", "n3")))
                .containsExactly(Rule.RESIZE);
        assertThat(rules(four(runs()), ask(1, 1, Cause.RESIZE, 8), keep(1, 1, "n1", "n2", "n3")))
                .containsExactly(Rule.RESIZE);
        assertThat(rules(four(runs()), ask(1, 1, Cause.RESIZE, 0), keep(1, 1, "n1", "n2", "n3", "n4", "n4")))
                .contains(Rule.GANG_NOT_WHOLE);
    }

    @Test
    void growthThatIsNotWorthItsRestart() {
        var brief = runs().started(Duration.ofMinutes(60)).walltime(Duration.ofMinutes(65));
        assertThat(rules(four(brief), ask(1, 1, Cause.RESIZE, 0), keep(1, 1, "n1", "n2", "n3")))
                .containsExactly(Rule.RESIZE);
    }

    @Test
    void growthOfWhoeverMayNotBeAsked() {
        for (var job : List.of(
                runs().started(Duration.ofMinutes(5)),
                runs().protectedFor(Duration.ofMinutes(5)),
                runs().notPreemptible())) {
            assertThat(rules(four(job), ask(1, 1, Cause.RESIZE, 0), keep(1, 1, "n1", "n2", "n3")))
                    .contains(Rule.VICTIM_PROTECTED);
        }
        assertThat(rules(four(runs().starting()), ask(1, 1, Cause.RESIZE, 0), keep(1, 1, "n1", "n2", "n3")))
                .contains(Rule.RESIZE);
    }

    @Test
    void growthOntoWhatOthersHold() {
        var held = four(runs(), job(2).gpus(8).on("n3"));
        assertThat(rules(held, ask(1, 1, Cause.RESIZE, 0), keep(1, 1, "n1", "n2", "n3")))
                .containsExactly(Rule.CAPACITY);
    }

    @Test
    void growthBeyondItsShareWhileOthersWait() {
        var crowded = cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(16))
                .team("b", guaranteed(16))
                .jobs(runs(), job(2).team("b").replicas(2).gpus(8));
        assertThat(rules(crowded, ask(1, 1, Cause.RESIZE, 0), keep(1, 1, "n1", "n2", "n3")))
                .containsExactly(Rule.RESIZE);
    }

    @Test
    void growthOntoWhatAHeadHasReserved() {
        var head = four(runs(), job(3).gpus(8)).reserve(ReservationView.Kind.HEAD, 3, Duration.ofHours(1), 8, "n3");
        assertThat(rules(head, ask(1, 1, Cause.RESIZE, 0), keep(1, 1, "n1", "n2", "n4")))
                .isEmpty();
        assertThat(rules(head, ask(1, 1, Cause.RESIZE, 0), keep(1, 1, "n1", "n2", "n3")))
                .containsExactly(Rule.CAPACITY);
    }

    /** Job 11 of team b borrows three nodes; team a is owed one. */
    private static Cluster owed() {
        return cluster()
                .rack("r1", nodes("n", 3))
                .team("a", guaranteed(8))
                .team("b", guaranteed(0))
                .jobs(
                        job(11).team("b").elastic(1, 3).gpus(8).on("n1", "n2", "n3"),
                        job(1).team("a").gpus(8));
    }

    @Test
    void rightfulShrinkingPasses() {
        assertThat(rules(owed(), ask(11, 1, Cause.RECLAIM, 8), keep(11, 11, "n1", "n2"), keep(1, 11, "n3")))
                .isEmpty();
    }

    @Test
    void shrinkingThatFreesWhatItDoesNotSay() {
        assertThat(rules(owed(), ask(11, 1, Cause.RECLAIM, 24), keep(11, 11, "n1", "n2"), keep(1, 11, "n3")))
                .contains(Rule.RESIZE);
        assertThat(rules(owed(), ask(11, 1, Cause.RECLAIM, 8), keep(1, 11, "n3")))
                .contains(Rule.RESIZE);
    }

    @Test
    void shrinkingBelowTheFewest() {
        var pair = cluster()
                .rack("r1", nodes("n", 3))
                .team("a", guaranteed(16))
                .team("b", guaranteed(0))
                .jobs(
                        job(11).team("b").elastic(2, 3).gpus(8).on("n1", "n2", "n3"),
                        job(1).team("a").replicas(2).gpus(8));
        assertThat(rules(pair, ask(11, 1, Cause.RECLAIM, 16), keep(11, 11, "n1"), keep(1, 11, "n2", "n3")))
                .containsExactly(Rule.GANG_NOT_WHOLE);
    }

    @Test
    void shrinkingIntoAnotherPlaceOrThatOfTheBeneficiary() {
        var wide = cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(8))
                .team("b", guaranteed(0))
                .jobs(
                        job(11).team("b").elastic(1, 3).gpus(8).on("n1", "n2", "n3"),
                        job(12).team("b").gpus(8).on("n4"),
                        job(1).team("a").gpus(8));
        assertThat(rules(wide, ask(11, 1, Cause.RECLAIM, 8), keep(11, 11, "n1", "n4"), keep(1, 11, "n3")))
                .contains(Rule.RESIZE);
        assertThat(rules(wide, ask(11, 1, Cause.RECLAIM, 8), keep(11, 11, "n2", "n3"), keep(1, 11, "n3")))
                .contains(Rule.CAPACITY);
    }

    @Test
    void shrinkingWithoutNeed() {
        var free = cluster()
                .rack("r1", nodes("n", 4))
                .team("a", guaranteed(8))
                .team("b", guaranteed(0))
                .jobs(
                        job(11).team("b").elastic(1, 3).gpus(8).on("n1", "n2", "n3"),
                        job(1).team("a").gpus(8));
        assertThat(rules(free, ask(11, 1, Cause.RECLAIM, 8), keep(11, 11, "n1", "n2"), keep(1, 11, "n4")))
                .contains(Rule.VICTIM_NOT_NEEDED);
    }
}
