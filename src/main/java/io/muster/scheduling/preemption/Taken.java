package io.muster.scheduling.preemption;

import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.problem.Occupant;

/**
 * A victim.
 *
 * @param cost GPU-seconds of work lost
 */
public record Taken(Occupant occupant, Cause cause, long cost) {}
