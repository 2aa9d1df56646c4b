/**
 * Goal: how many GPUs of each pool every team deserves now, and how a claim stands in that.
 * Constraints: whole GPUs, sums exact at every level of the tree, a stable order for what is left over; guarantees before
 * weights, never above a limit or a demand, never using what a team does not lend; past use bends the surplus only.
 * Algorithm: top-down; at each level min(guarantee, demand), then water-filling of the rest by weight with largest
 * remainders (weighted max-min fairness as in Hadoop's and KAI's queue trees; lending as in Kueue's cohorts).
 */
@NullMarked
package io.muster.scheduling.fairshare;

import org.jspecify.annotations.NullMarked;
