/**
 * Goal: every large gang gets its turn, and nothing idles while it waits for it.
 * Constraints: the first blocked head of a pool has the domain and the time of its start reserved; others start only
 * where that delays it not: on other GPUs, ending before, or marked to yield. Ends are walltimes or the policy's
 * default, never guesses.
 * Algorithm: the earliest end of a running job after which the gang has a place is found by halving over the ends, since
 * room only grows (conservative backfill with a bounded depth, as EASY in Slurm and PBS).
 */
@NullMarked
package io.muster.scheduling.backfill;

import org.jspecify.annotations.NullMarked;
