/**
 * Goal: one total order of all that wait, the same for the decision and for the eye.
 * Constraints: between teams the lowest (allocated + next gang) / deserved, at each level of the tree; inside a team
 * priority, then the user who holds least, then submit time, then id. Exact arithmetic, no ties left to chance.
 * Algorithm: a queue per leaf of the tree (bands of priority, users in turn), and a tournament up the tree that is played
 * again along one path after each move (hierarchical fair queueing as in YARN and KAI; shipped order {@code fifo}).
 */
@NullMarked
package io.muster.scheduling.ordering;

import org.jspecify.annotations.NullMarked;
