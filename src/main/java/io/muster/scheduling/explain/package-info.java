/**
 * Goal: for every waiting job, every blocker with its numbers, the binding one first, and its place in the order.
 * Constraints: reasons are data; lists are bounded; equal jobs share one computation, so that the cost goes by kinds of
 * jobs and not by jobs.
 * Algorithm: what gates a job in the shares is recomputed exactly; what stops it on the machine is found by widening:
 * with the room before the cycle (others came first), with reserved room, by sum, by node, by domain.
 */
@NullMarked
package io.muster.scheduling.explain;

import org.jspecify.annotations.NullMarked;
