package io.muster.scheduling.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.Explanation;
import io.muster.model.JobId;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.verify.PlanVerifier;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What must hold in every world: {@code -Dmuster.seeds=N} tries more of them, {@code -Dmuster.seed=S} one again. */
class SchedulerPropertyTest {
    private static final int STEPS = 14;

    private static LongStream seeds() {
        var one = System.getProperty("muster.seed");
        return one != null
                ? LongStream.of(Long.parseLong(one))
                : LongStream.range(0, Long.getLong("muster.seeds", 300));
    }

    @Test
    void invariantsHoldInEveryWorldAfterEveryStep() {
        seeds().forEach(seed -> {
            try {
                live(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        });
    }

    @Test
    void guaranteesAreMetAtRestInCrowdedWorlds() {
        int owedBefore = 0;
        for (long seed : seeds().limit(150).toArray()) {
            var worlds = new Worlds(seed);
            var world = worlds.crowded();
            try {
                cycle(world, "filled", true);
                world.pass(Duration.ofMinutes(1));
                world.pass(Duration.ofMinutes(15));
                worlds.othersSubmit(world);
                owedBefore += Guarantees.owed(world);
                // Where reclaim meets backfill in a full pool, a decision may be left for the next cycle.
                calmDown(world, false);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("crowded seed " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(owedBefore).as("jobs that were owed GPUs at all").isPositive();
    }

    private static void live(long seed) {
        var worlds = new Worlds(seed);
        var world = worlds.world();
        for (int step = 0; step < STEPS; step++) {
            cycle(world, "step " + step, true);
            world.pass(Duration.ofMinutes(1 + world.random.nextInt(20)));
            world.happen(worlds);
        }
        calmDown(world, true);
    }

    private static void cycle(SimWorld world, String when, boolean settlesAtOnce) {
        var snapshot = world.snapshot();
        var plan = new Scheduler().plan(snapshot);
        assertThat(plan.setAside()).as(when + " set aside").isEmpty();
        assertThat(PlanVerifier.verify(snapshot, plan)).as(when + " breaches").isEmpty();
        everyWaitingJobHasAReason(snapshot, plan, when);
        assertThat(new Scheduler().plan(shuffled(snapshot)))
                .as(when + " permuted input")
                .isEqualTo(plan);
        world.carryOut(plan);
        noNodeHoldsMoreThanItHas(world, when);
        int rounds = 1;
        for (var more = new Scheduler().plan(world.snapshot());
                !more.decisions().isEmpty();
                more = new Scheduler().plan(world.snapshot())) {
            // A job that starts in another pool than the one in which it queued moves its demand, and a head that moved
            // may leave its place to one with a promise, or take back what was backfilled before victims left; nothing
            // else may be left to decide.
            assertThat(!settlesAtOnce || spilled(snapshot, plan) || usesPromises(more) || takesBack(plan, more))
                    .as(when + " planned again " + brief(more) + " after " + brief(plan))
                    .isTrue();
            assertThat(++rounds).as(when + " still " + brief(more)).isLessThan(4);
            world.carryOut(more);
        }
    }

    private static boolean spilled(ClusterSnapshot snapshot, SchedulingPlan plan) {
        return plan.decisions().stream()
                .anyMatch(d -> d instanceof Decision.Start s
                        && snapshot.waiting().stream()
                                .anyMatch(w -> w.id().equals(s.job())
                                        && w.facts().pools().size() > 1));
    }

    private static boolean usesPromises(SchedulingPlan plan) {
        return plan.decisions().stream().allMatch(d -> d instanceof Decision.Start s && s.consumes() != null);
    }

    private static boolean takesBack(SchedulingPlan plan, SchedulingPlan more) {
        return plan.decisions().stream()
                .filter(d -> d instanceof Decision.Start s && s.backfilled())
                .anyMatch(s -> more.decisions().stream()
                        .anyMatch(d -> d instanceof Decision.RequestCheckpoint r
                                && r.cause() == Decision.Cause.BACKFILL
                                && r.job().equals(s.job())));
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

    private static void noNodeHoldsMoreThanItHas(SimWorld world, String when) {
        var held = world.held();
        for (var node : world.nodes) {
            var used = held.get(node.id());
            if (used != null) {
                assertThat(used.plus(node.foreign()).fitsIn(node.allocatable()))
                        .as(when + " " + node.id() + " holds " + used)
                        .isTrue();
            }
        }
    }

    /** When nothing happens any more, preemption ends: nobody is taken from in turn. */
    private static void calmDown(SimWorld world, boolean settlesAtOnce) {
        int before = world.preemptions;
        int jobs = world.jobs.size();
        int quiet = 0;
        for (int step = 0; quiet < 6; step++) {
            int sofar = world.preemptions;
            cycle(world, "calm " + step, settlesAtOnce);
            quiet = world.preemptions == sofar ? quiet + 1 : 0;
            world.pass(Duration.ofMinutes(11));
            assertThat(world.preemptions - before)
                    .as("preemptions among " + jobs + " jobs when nothing happens")
                    .isLessThanOrEqualTo(2 * jobs + 10);
        }
        Guarantees.check(world);
    }
}
