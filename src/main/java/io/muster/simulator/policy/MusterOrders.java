package io.muster.simulator.policy;

import static io.muster.simulator.engine.SimulatedJob.NEVER;

import io.muster.scheduling.ordering.AttainedService;
import io.muster.scheduling.ordering.FairFinish;
import io.muster.scheduling.ordering.RunTimeHistory;
import io.muster.scheduling.ordering.Served;
import io.muster.simulator.engine.SimulatedJob;
import io.muster.simulator.engine.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Muster's own orders inside a team, which the server has too; they know only what a server can know. */
final class MusterOrders {
    private MusterOrders() {}

    /** What one more end costs, learned from jobs that ended. */
    static final class ByAttainedService implements Ranking {
        private static final long PATIENCE = Duration.ofHours(1).toMillis();

        private final RunTimeHistory history = new RunTimeHistory();
        private final AttainedService order = new AttainedService(history);
        private final Map<SimulatedJob, List<String>> kinds = new HashMap<>();

        private Served served(SimulatedJob job, World world) {
            return new Served(
                    job.id(),
                    job.facts().submittedAt(),
                    job.gpus(),
                    Duration.ofMillis(job.done(world.now())),
                    null,
                    1,
                    kinds.computeIfAbsent(job, MusterOrders::kinds));
        }

        @Override
        public double rank(SimulatedJob job, World world) {
            return order.band(served(job, world));
        }

        @Override
        public boolean preempts() {
            return true;
        }

        @Override
        public boolean mayTake(SimulatedJob claimant, SimulatedJob victim, World world) {
            return order.outweighs(
                    served(claimant, world),
                    served(victim, world),
                    world.costs().restart());
        }

        @Override
        public boolean mayMoveOthers(SimulatedJob waiting, World world) {
            return world.now() - waiting.waitingSince() >= PATIENCE;
        }

        @Override
        public boolean mayMove(SimulatedJob running, SimulatedJob waiting, World world) {
            return world.now() - running.placed() >= PATIENCE;
        }

        @Override
        public long nextChange(SimulatedJob running, World world) {
            if (running.runningSince() == NEVER) {
                return running.placed() + world.costs().restart().toMillis();
            }
            var later = order.untilLater(served(running, world));
            return later == null ? NEVER : world.now() + later.toMillis();
        }

        @Override
        public void ended(SimulatedJob job, World world) {
            var own = kinds.remove(job);
            history.ended(own == null ? kinds(job) : own, Duration.ofMillis(job.done(world.now())));
        }
    }

    /** The smallest share of life so far, or the projected finish where walltimes are given. */
    static final class ByFairFinish implements Ranking {
        private final FairFinish order = new FairFinish();
        private final Crowd crowd = new Crowd();

        private Served served(SimulatedJob job, World world) {
            return new Served(
                    job.id(),
                    job.facts().submittedAt(),
                    job.gpus(),
                    Duration.ofMillis(job.done(world.now())),
                    job.facts().walltime(),
                    crowd.mean(job, world),
                    List.of(""));
        }

        private static Instant asOf(World world) {
            return Instant.ofEpochMilli(world.now());
        }

        @Override
        public void begin(World world) {
            crowd.look(world);
        }

        @Override
        public double rank(SimulatedJob job, World world) {
            return order.rank(served(job, world), asOf(world));
        }

        @Override
        public boolean preempts() {
            return true;
        }

        @Override
        public boolean mayTake(SimulatedJob claimant, SimulatedJob victim, World world) {
            return world.now() >= turnEnds(victim, world)
                    && order.outweighs(served(claimant, world), served(victim, world), asOf(world));
        }

        private static long turnEnds(SimulatedJob job, World world) {
            return job.placed() + FairFinish.turn(world.costs().restart()).toMillis();
        }

        @Override
        public long nextChange(SimulatedJob running, World world) {
            long ends = turnEnds(running, world);
            return ends > world.now()
                    ? ends
                    : world.now() + Duration.ofMinutes(1).toMillis();
        }

        @Override
        public void ended(SimulatedJob job, World world) {
            crowd.look(world);
            crowd.forget(job);
        }
    }

    /** From the general to the special; a level that says no more than the one above is left out. */
    private static List<String> kinds(SimulatedJob job) {
        var owner = job.recorded().owner();
        var kinds = new ArrayList<String>();
        kinds.add("");
        kinds.add(job.gpus() + " GPUs");
        if (!owner.team().equals("all")) kinds.add(kinds.getLast() + " of " + owner.team());
        if (!owner.user().equals(owner.team())) kinds.add(kinds.getLast() + " by " + owner.user());
        if (!owner.kind().isEmpty()) kinds.add(kinds.getLast() + " as " + owner.kind());
        return List.copyOf(kinds);
    }
}
