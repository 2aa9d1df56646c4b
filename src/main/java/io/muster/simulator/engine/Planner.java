package io.muster.simulator.engine;

import io.muster.scheduling.plan.Decision;
import java.util.List;

/** Decides. The core is one, each reference policy another. */
public interface Planner {
    /** What to do now; called when something happened that could matter. Changes nothing of the world. */
    List<Decision> plan(World world);

    /** When to be asked again although nothing happens, in milliseconds, or {@link SimulatedJob#NEVER}. */
    long nextReview(World world);

    /** Learns that a job ended. */
    default void ended(SimulatedJob job, World world) {}
}
