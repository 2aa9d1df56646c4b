package io.muster.simulator.policy;

import io.muster.simulator.engine.SimulatedJob;
import io.muster.simulator.engine.World;
import java.util.function.ToDoubleBiFunction;

/** Published policies, to compare with. Those that look at how long a job will run have it from an oracle. */
final class References {
    private static final long SECOND = 1000;

    private References() {}

    /** First come, first served. */
    record Fifo(Blocking blocking) implements Ranking {
        @Override
        public double rank(SimulatedJob job, World world) {
            return 0;
        }

        @Override
        public boolean isByAge() {
            return true;
        }
    }

    /** The shortest first, as told by an oracle. */
    record Shortest(ToDoubleBiFunction<SimulatedJob, Long> length, boolean preempts) implements Ranking {
        @Override
        public double rank(SimulatedJob job, World world) {
            return length.applyAsDouble(job, world.now());
        }
    }

    /** Discretised least attained service in two dimensions (Tiresias, Gu et al., NSDI 2019). */
    record Tiresias() implements Ranking {
        private static final long[] QUEUES = {3_250, 7_200, 18_000};

        @Override
        public double rank(SimulatedJob job, World world) {
            double had = (double) job.done(world.now()) * job.gpus() / SECOND;
            int queue = 0;
            while (queue < QUEUES.length && had >= QUEUES[queue]) queue++;
            return queue;
        }

        @Override
        public boolean preempts() {
            return true;
        }

        @Override
        public boolean mayTake(SimulatedJob claimant, SimulatedJob victim, World world) {
            return rank(victim, world) > rank(claimant, world);
        }

        @Override
        public long nextChange(SimulatedJob running, World world) {
            int queue = (int) rank(running, world);
            if (queue == QUEUES.length || running.runningSince() == SimulatedJob.NEVER) return SimulatedJob.NEVER;
            long left = QUEUES[queue] * SECOND / running.gpus() - running.done(world.now());
            return world.now() + Math.max(SECOND, left);
        }
    }

    /** Worst finish-time fairness first, by leases (Themis, Mahajan et al., NSDI 2020), with true run times. */
    record Themis() implements Ranking {
        private static final long LEASE = 600 * SECOND;

        /** Time from submission to its end, were it served from now on, over its time alone; the worst first. */
        @Override
        public double rank(SimulatedJob job, World world) {
            double shared = (double) (world.now() - job.submitted()) + job.remaining(world.now());
            return -shared / job.work();
        }

        @Override
        public boolean preempts() {
            return true;
        }

        @Override
        public boolean mayTake(SimulatedJob claimant, SimulatedJob victim, World world) {
            return world.now() - victim.placed() >= LEASE;
        }

        @Override
        public long nextChange(SimulatedJob running, World world) {
            long ends = running.placed() + LEASE;
            return ends > world.now() ? ends : world.now() + LEASE;
        }
    }

    /** Dominant resource fairness over teams (Ghodsi et al., NSDI 2011); of GPUs alone, since they bind. */
    static final class Drf implements Ranking {
        private final int[] counted;

        Drf(int teams) {
            counted = new int[teams];
        }

        @Override
        public void begin(World world) {
            for (int t = 0; t < counted.length; t++) counted[t] = world.teamGpus(t);
        }

        /** What its team would hold without it, had all before it started. */
        @Override
        public double rank(SimulatedJob job, World world) {
            int before = counted[job.team()];
            counted[job.team()] += job.gpus();
            return before;
        }
    }
}
