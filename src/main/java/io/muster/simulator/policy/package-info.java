/**
 * Owns the planners of the simulator: the core itself, and policies to compare it with.
 * A policy is an order of jobs, and whether it skips and preempts; places come from the core's own placement.
 * Reference policies may use an oracle (true run times) and say so; Muster's own orders may not.
 */
@NullMarked
package io.muster.simulator.policy;

import org.jspecify.annotations.NullMarked;
