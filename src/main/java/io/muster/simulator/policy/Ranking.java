package io.muster.simulator.policy;

import io.muster.simulator.engine.SimulatedJob;
import io.muster.simulator.engine.World;

/** An order of jobs: the lowest rank goes first, of equal ranks the job that was submitted first. */
interface Ranking {
    double rank(SimulatedJob job, World world);

    /** All ranks are equal: only age counts. */
    default boolean isByAge() {
        return false;
    }

    /** A new order is about to be asked for, of each job once, the oldest first. */
    default void begin(World world) {}

    /** What a blocked job does to those behind it. */
    default Blocking blocking() {
        return Blocking.SKIP;
    }

    /** Whether a waiting job may take the GPUs of one that runs and has a higher rank. */
    default boolean preempts() {
        return false;
    }

    /** Whether taking is worth it and allowed; asked only when the victim's rank is higher. */
    default boolean mayTake(SimulatedJob claimant, SimulatedJob victim, World world) {
        return true;
    }

    /** Whether others may be moved to make room for a waiting job for which enough GPUs are free. */
    default boolean mayMoveOthers(SimulatedJob waiting, World world) {
        return false;
    }

    /** Whether a running job may be moved for one that waits. */
    default boolean mayMove(SimulatedJob running, SimulatedJob waiting, World world) {
        return false;
    }

    /** The most jobs that may move for a job. */
    default int mostJobsMoved(SimulatedJob waiting, World world) {
        return Integer.MAX_VALUE;
    }

    /** The most GPUs that may move for a job. */
    default int mostMoved(SimulatedJob waiting) {
        return waiting.gpus() / 2;
    }

    /** When the rank of a running job will have changed so much that others could take its GPUs, in milliseconds. */
    default long nextChange(SimulatedJob running, World world) {
        return SimulatedJob.NEVER;
    }

    /** Learns from a job that ended. */
    default void ended(SimulatedJob job, World world) {}

    /** What a blocked job does to those behind it. */
    enum Blocking {
        /** Nobody passes. */
        STOP,
        /** Whoever fits passes. */
        SKIP,
        /** Whoever does not delay it passes, as far as run times tell. */
        RESERVE
    }
}
