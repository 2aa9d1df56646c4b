/**
 * Goal: the cheapest set of running jobs whose leaving lets a claimant in, taken only where the rules allow.
 * Constraints: between teams only from above a deserved share to at most a deserved share, compared under the lowest
 * common ancestor; inside a team only from lower to higher priority; a privileged class within its cap; never inside
 * minRuntime or a protection; within the rate outside guarantees; nobody without need.
 * Algorithm: per domain, the node that yields its next replica cheapest is cleared first (a heap over nodes, ranked by
 * priority, then lost GPU-seconds). Nodes are looked at in the order of the first on them who must yield, until no other
 * can be cheaper; sums say at once when nothing could be enough. Where that leaves no room, it is done again sparing the
 * teams that ran out, and then with the claimant's own team back in its share first. The set is proven by placing the gang in what it frees,
 * then every victim that the placement does not need is spared (minimal sets against the over-preemption reported for
 * Volcano and Kueue).
 */
@NullMarked
package io.muster.scheduling.preemption;

import org.jspecify.annotations.NullMarked;
