/**
 * Owns what is told of a run: numbers that stand side by side, so that one better number never hides a worse.
 * A scorecard is computed from the run alone; JSON, the page and the table of jobs are written from the scorecard.
 * Equal runs give equal bytes: no clock, no map without an order, no rounding that depends on a machine.
 */
@NullMarked
package io.muster.simulator.scorecard;

import org.jspecify.annotations.NullMarked;
