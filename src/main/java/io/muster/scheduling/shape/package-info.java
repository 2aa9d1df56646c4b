/**
 * Goal: a team whose guarantee has a shape, such as {@code 2 x (8 GPUs of one node)}, gets whole domains when it asks.
 * Constraints: no GPU idles for it; others start elsewhere while they can; whoever yields is preemptible, past minRuntime,
 * and does not itself stand in a domain that its own team's shape covers, so that two shapes never take in turn.
 * Algorithm: domains that others use least are kept (the buddy cells of HiveD, chosen anew in each plan); when neither a
 * reclaim nor a move makes the place, the cheapest domains that can be cleared are.
 */
@NullMarked
package io.muster.scheduling.shape;

import org.jspecify.annotations.NullMarked;
