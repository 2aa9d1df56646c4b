package io.muster.scheduling.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Explanation;
import io.muster.model.JobId;
import io.muster.model.Resources;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.verify.PlanVerifier;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;

/** Lives through a scenario and holds every plan to the invariants. */
final class Trial {
    private final SimWorld world;
    private final Scheduler remembering = new Scheduler();
    private final SameObjects objects = new SameObjects();

    Trial(SimWorld world) {
        this.world = world;
    }

    static void live(Scenario scenario) {
        var trial = new Trial(new SimWorld(scenario));
        for (int step = 0; step < scenario.events().size(); step++) {
            var event = scenario.events().get(step);
            trial.world.happen(event);
            if (event.minutes() > 0) {
                trial.cycle("step " + step);
                trial.world.pass(Duration.ofMinutes(event.minutes()), new Random(event.salt()));
            }
        }
        trial.calmDown();
    }

    void cycle(String when) {
        var snapshot = world.snapshot();
        var plan = new Scheduler().plan(snapshot);
        assertThat(plan.setAside()).as(when + " set aside").isEmpty();
        assertThat(PlanVerifier.verify(snapshot, plan))
                .as(when + " breaches in " + brief(plan))
                .isEmpty();
        assertThat(PlanVerifier.misreported(snapshot, plan))
                .as(when + " share rows of " + brief(plan))
                .isEmpty();
        everyWaitingJobHasAReason(snapshot, plan, when);
        Reservations.check(world, plan, when);
        assertThat(new Scheduler().plan(shuffled(snapshot)).toString())
                .as(when + " permuted input")
                .isEqualTo(plan.toString());
        assertThat(remembering.plan(objects.of(snapshot)).toString())
                .as(when + " planned by who has planned before")
                .isEqualTo(plan.toString());
        var full = overheld();
        world.carryOut(plan);
        assertThat(full).as(when + " nodes that hold more than they have").containsAll(overheld());
        var again = new Scheduler().plan(world.snapshot());
        assertThat(again.decisions())
                .as(when + " planned again " + brief(again) + " after " + brief(plan))
                .isEmpty();
    }

    private static String brief(SchedulingPlan plan) {
        return plan.decisions().stream()
                .map(d -> d.getClass().getSimpleName() + " " + d.job()
                        + (d instanceof Decision.RequestCheckpoint r ? " for " + r.beneficiary() + " " + r.cause() : "")
                        + (d instanceof Decision.Reserve r ? " " + r.kind() + " " + r.startAt() : "")
                        + (d instanceof Decision.Unreserve u ? " " + u.why() : ""))
                .toList()
                .toString();
    }

    private static void everyWaitingJobHasAReason(ClusterSnapshot snapshot, SchedulingPlan plan, String when) {
        var waits = new HashSet<JobId>();
        snapshot.waiting().forEach(w -> waits.add(w.id()));
        plan.decisions().stream().filter(Decision.Start.class::isInstance).forEach(d -> waits.remove(d.job()));
        assertThat(plan.explanations().stream().map(Explanation::job))
                .as(when + " explanations")
                .containsExactlyInAnyOrderElementsOf(waits);
        assertThat(plan.explanations())
                .as(when + " reasons")
                .noneMatch(e -> e.reasons().isEmpty());
    }

    private static ClusterSnapshot shuffled(ClusterSnapshot s) {
        var random = new Random(7);
        return new ClusterSnapshot(
                s.asOf(),
                s.settings(),
                s.mode(),
                Worlds.shuffled(s.pools(), random),
                Worlds.shuffled(s.nodes(), random),
                Worlds.shuffled(s.teams(), random),
                Worlds.shuffled(s.waiting(), random),
                Worlds.shuffled(s.running(), random),
                Worlds.shuffled(s.reservations(), random));
    }

    /** Nodes that shrank under what they hold; no plan may add to them. */
    /** Of each node that shrank under its jobs, what is short; a pod that asks for none of that may still come. */
    private HashSet<String> overheld() {
        var held = world.held();
        var full = new HashSet<String>();
        for (var node : world.nodes) {
            var used = held.getOrDefault(node.id(), Resources.NONE).plus(node.foreign());
            note(full, node.id() + " GPUs", used.gpus(), node.allocatable().gpus());
            note(full, node.id() + " CPU", used.cpuMillis(), node.allocatable().cpuMillis());
            note(
                    full,
                    node.id() + " memory",
                    used.memoryBytes(),
                    node.allocatable().memoryBytes());
        }
        return full;
    }

    private static void note(HashSet<String> full, String what, long used, long there) {
        if (used > there) {
            full.add(what + ": " + used);
        }
    }

    /**
     * When nothing happens any more, preemption ends: nobody is taken from in turn. What runs gets no further either:
     * where jobs take turns, service is what happens.
     */
    void calmDown() {
        world.served = false;
        int before = world.preemptions;
        int jobs = world.jobs.size();
        int quiet = 0;
        for (int step = 0; quiet < 6; step++) {
            int sofar = world.preemptions;
            cycle("calm " + step);
            quiet = world.preemptions == sofar ? quiet + 1 : 0;
            world.pass(Duration.ofMinutes(11), new Random(step));
            assertThat(world.preemptions - before)
                    .as("preemptions among " + jobs + " jobs when nothing happens")
                    .isLessThanOrEqualTo(2 * jobs + 10);
        }
        Guarantees.check(world);
    }
}
