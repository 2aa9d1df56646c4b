/**
 * Goal: a gang that the free GPUs of the machines could hold in number, but not in whole nodes or domains, starts because
 * a few running jobs go on elsewhere; nobody loses its share, and nobody is moved without a new place.
 * Constraints: only jobs that save, that ran for minRuntime, and that may be asked at all; each has its next place kept,
 * free and beside what is kept for others, before it is asked; nobody is moved while there is a place without, nor at a
 * cost above that of reclaiming or waiting. Every set of moves starts one gang more and stops none, so moving ends.
 * Algorithm: per domain, the node that is cleared for one more replica cheapest comes first (GPU-seconds since the last
 * checkpoint and to start again); domains are tried in the order of that cost, the gang and then the movers, the largest
 * first, are placed as a trial, and whoever need not go stays. The idea of moving before taking comes from Gandiva.
 */
@NullMarked
package io.muster.scheduling.moves;

import org.jspecify.annotations.NullMarked;
