/**
 * Goal: a place for a whole gang that leaves the rest of the fleet as useful as possible.
 * Constraints: all replicas or none, one pool and one type, GPUs, CPUs and memory, the required level; what others hold
 * or have been promised is not touched. Nothing here knows of teams or shares.
 * Algorithm: per node how many replicas fit; prefix sums give every domain's count; the finest level at which one domain
 * holds the gang, in it the fullest domain, then down the tree over the fewest children in a balanced split. Small jobs
 * are answered from buckets of nodes by free GPUs, gaps before whole nodes (best fit; anomaly as described for HiveD).
 */
@NullMarked
package io.muster.scheduling.placement;

import org.jspecify.annotations.NullMarked;
