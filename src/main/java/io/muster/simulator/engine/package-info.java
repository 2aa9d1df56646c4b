/**
 * Owns the run of a recorded workload on a virtual clock: events, the lives of jobs, what is held where.
 * A planner decides, the same lifecycle as the server's moves the jobs, and nothing here chooses anything.
 * Equal inputs give equal runs: events are totally ordered by time, kind and number.
 */
@NullMarked
package io.muster.simulator.engine;

import org.jspecify.annotations.NullMarked;
