package io.muster.scheduling.preemption;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.fairshare.PoolShares;
import io.muster.scheduling.fairshare.Standing;
import io.muster.scheduling.ordering.InnerOrder;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.topology.Partition;
import java.util.Arrays;

/** Sums over the fleet and over the teams that say at once when a search is hopeless; kept until something changes. */
final class Outlook {
    private static final long NEVER = -1;

    private final Draft draft;
    private final InnerOrder order;
    private final long[] reclaimable;
    private final long[] reclaimableAsOf;

    Outlook(Draft draft) {
        this.draft = draft;
        order = new InnerOrder(draft.problem());
        reclaimable = new long[draft.shares().size()];
        reclaimableAsOf = new long[reclaimable.length];
        Arrays.fill(reclaimableAsOf, NEVER);
    }

    /** False when all that could possibly be taken is too little: the answer for most that wait. */
    boolean isConceivable(
            Claimant claimant, Partition partition, boolean head, int reclaimBudget, Candidates candidates) {
        int pool = partition.pool();
        if (head || draft.isPrivileged(claimant, pool)) {
            return true;
        }
        int leaf = claimant.leaf();
        int gpus = claimant.gpus();
        var shares = draft.shares(pool);
        long own = own(claimant, candidates);
        long others = own;
        long reclaimable = reclaimable(pool, candidates);
        if (reclaimable > 0 && Standing.within(shares, leaf, gpus, shares.tree().parent(leaf))) {
            boolean guaranteed = Standing.isGuaranteed(shares, leaf, gpus);
            others += guaranteed ? reclaimable : Math.min(reclaimBudget, reclaimable);
        }
        return others > 0
                && others + draft.room().freeLater(partition) >= gpus
                && couldBeLetIn(claimant, shares, own, others);
    }

    /** GPUs of its own team that are lower in priority, or, where somebody comes later in the team's order, all. */
    private long own(Claimant claimant, Candidates candidates) {
        int leaf = claimant.leaf();
        if (candidates.highestRank(leaf) > order.rank(claimant)) {
            return candidates.gpusIn(leaf);
        }
        int priority = claimant.facts().priority();
        return candidates.lowestPriority(leaf) < priority ? candidates.gpusBelow(leaf, priority) : 0;
    }

    /** When {@code own} GPUs of its team and {@code others} in all are no longer held, its share lets it in. */
    private static boolean couldBeLetIn(Claimant claimant, PoolShares shares, long own, long others) {
        int leaf = claimant.leaf();
        long bound = Math.max(shares.deserved(leaf), shares.guaranteed(leaf));
        return shares.allocated(leaf) - own + claimant.gpus() <= bound
                || (claimant.facts().preemptible() && Standing.lentToday(shares, leaf) + others >= claimant.gpus());
    }

    /** GPUs that candidates hold whose teams are above their shares. */
    long reclaimable(int pool, Candidates candidates) {
        var shares = draft.shares(pool);
        if (reclaimableAsOf[pool] != shares.version()) {
            reclaimableAsOf[pool] = shares.version();
            reclaimable[pool] = 0;
            for (int leaf = 0; leaf < shares.tree().size(); leaf++) {
                reclaimable[pool] += shares.allocated(leaf) > shares.deserved(leaf) ? candidates.gpusIn(leaf) : 0;
            }
        }
        return reclaimable[pool];
    }
}
