package io.muster.simulator.policy;

import static io.muster.simulator.engine.SimulatedJob.NEVER;

import io.muster.scheduling.ordering.AttainedService;
import io.muster.scheduling.ordering.FairFinish;
import io.muster.scheduling.ordering.RunTimeHistory;
import io.muster.scheduling.ordering.Served;
import io.muster.scheduling.snapshot.PolicySettings;
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
        /** So long a job waits for each job that moves for it. */
        private static final long PATIENCE = Duration.ofMinutes(25).toMillis();

        /** So long a job stays where it is; and so long a band is believed. */
        private static final long HOUR = Duration.ofHours(1).toMillis();

        private static final long MIN_RUNTIME =
                PolicySettings.SHIPPED.minRuntime().toMillis();

        private final RunTimeHistory history = new RunTimeHistory();
        private final AttainedService order = new AttainedService(history);
        private final Map<SimulatedJob, Known> known = new HashMap<>();

        /** A job's band, good until it has worked for {@code until}, or for an hour: history goes on. */
        private static final class Known {
            final List<String> kinds;
            int band;
            long until;
            long later;
            long lookedAt;

            Known(List<String> kinds) {
                this.kinds = kinds;
            }
        }

        private Known known(SimulatedJob job, World world) {
            var known = this.known.computeIfAbsent(job, j -> new Known(kinds(j)));
            long done = job.done(world.now());
            if (done >= known.until || world.now() - known.lookedAt >= HOUR) {
                var served = served(job, world, known.kinds);
                known.band = order.band(served);
                known.until = done + RunTimeHistory.untilChange(served.ran()).toMillis();
                var later = order.untilLater(served);
                known.later = later == null ? NEVER : done + later.toMillis();
                known.lookedAt = world.now();
            }
            return known;
        }

        private static Served served(SimulatedJob job, World world, List<String> kinds) {
            var ran = Duration.ofMillis(job.done(world.now()));
            return new Served(job.id(), job.facts().submittedAt(), job.gpus(), ran, null, 1, kinds);
        }

        @Override
        public double rank(SimulatedJob job, World world) {
            return known(job, world).band;
        }

        @Override
        public boolean preempts() {
            return true;
        }

        @Override
        public boolean mayTake(SimulatedJob claimant, SimulatedJob victim, World world) {
            var own = known(claimant, world);
            var other = known(victim, world);
            return own.band < other.band
                    && world.now() - victim.placed() >= MIN_RUNTIME
                    && order.outweighs(
                            served(claimant, world, own.kinds),
                            served(victim, world, other.kinds),
                            world.costs().restart());
        }

        @Override
        public boolean mayMoveOthers(SimulatedJob waiting, World world) {
            return world.now() - waiting.waitingSince() >= PATIENCE;
        }

        @Override
        public boolean mayMove(SimulatedJob running, SimulatedJob waiting, World world) {
            return world.now() - running.placed() >= HOUR;
        }

        @Override
        public int mostJobsMoved(SimulatedJob waiting, World world) {
            return (int) ((world.now() - waiting.waitingSince()) / PATIENCE);
        }

        @Override
        public int mostMoved(SimulatedJob waiting) {
            return waiting.gpus() - 1;
        }

        @Override
        public long nextChange(SimulatedJob running, World world) {
            long open = running.placed() + MIN_RUNTIME;
            if (open > world.now()) return open;
            long later = known(running, world).later;
            return later == NEVER ? NEVER : world.now() + later - running.done(world.now());
        }

        @Override
        public void ended(SimulatedJob job, World world) {
            var own = known.remove(job);
            history.ended(own == null ? kinds(job) : own.kinds, Duration.ofMillis(job.done(world.now())));
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
                    && order.outweighs(
                            served(claimant, world),
                            served(victim, world),
                            asOf(world),
                            world.costs().restart());
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
    static List<String> kinds(SimulatedJob job) {
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
