/**
 * Owns replay: a recorded workload, run by a policy on a fleet, on a virtual clock, and told as a scorecard.
 * The core, the lifecycle and the placement are the server's own; only time and the machines are not real.
 * Nothing here knows of a framework, a database or the time of day.
 */
@NullMarked
package io.muster.simulator;

import org.jspecify.annotations.NullMarked;
