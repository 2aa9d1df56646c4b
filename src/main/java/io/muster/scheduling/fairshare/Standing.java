package io.muster.scheduling.fairshare;

import io.muster.model.Reason;
import io.muster.scheduling.snapshot.JobFacts;
import org.jspecify.annotations.Nullable;

/**
 * How a claim of {@code gpus} GPUs stands in the shares of one pool.
 *
 * @param within with it, its team and every team above are at most at their deserved shares
 * @param guaranteed with it, its team is at most at its guarantee
 * @param gate the limit, cap or guarantee that forbids it, or null
 */
public record Standing(
        boolean within, boolean guaranteed, @Nullable Reason gate) {

    /**
     * Weighs a claim.
     *
     * @param leaf the team's entry
     * @param userHeld GPUs that the user holds in this team and pool already
     */
    public static Standing of(PoolShares shares, JobFacts job, int leaf, int gpus, int userHeld) {
        return new Standing(
                within(shares, leaf, gpus, TeamTree.NO_PARENT),
                isGuaranteed(shares, leaf, gpus),
                gate(shares, job, leaf, gpus, userHeld));
    }

    /** True when it may start on free GPUs: within the share, or borrowing what nobody withholds. */
    public boolean mayStart(PoolShares shares, JobFacts job, int leaf, int gpus) {
        return gate == null && (within || (job.preemptible() && lentToday(shares, leaf) >= gpus));
    }

    /** The same of a claim that is not to be explained. */
    public static boolean mayStart(PoolShares shares, JobFacts job, int leaf, int gpus, int userHeld) {
        return isUngated(shares, job, leaf, gpus, userHeld)
                && (within(shares, leaf, gpus, TeamTree.NO_PARENT)
                        || (job.preemptible() && lentToday(shares, leaf) >= gpus));
    }

    /** True when no limit, cap or guarantee forbids the claim. */
    public static boolean isUngated(PoolShares shares, JobFacts job, int leaf, int gpus, int userHeld) {
        var tree = shares.tree();
        for (int i = leaf; i != TeamTree.NO_PARENT; i = tree.parent(i)) {
            if ((long) shares.allocated(i) + gpus > shares.limit(i)) {
                return false;
            }
        }
        var cap = tree.team(leaf).userCap();
        return (cap == null || (long) userHeld + gpus <= cap)
                && (job.preemptible() || (long) shares.firm(leaf) + gpus <= shares.firmBound(leaf));
    }

    /** With {@code gpus} more, the leaf is at most at its guarantee. */
    public static boolean isGuaranteed(PoolShares shares, int leaf, int gpus) {
        return shares.allocated(leaf) + gpus <= shares.guaranteed(leaf);
    }

    /** With {@code gpus} more, the leaf and every entry above it, below {@code top}, keep to what they deserve. */
    public static boolean within(PoolShares shares, int leaf, int gpus, int top) {
        for (int i = leaf; i != top; i = shares.tree().parent(i)) {
            // A guarantee is deserved as soon as it is wanted, also by a job whose demand counts in another pool.
            int bound = Math.max(shares.deserved(i), shares.guaranteed(i));
            if ((long) shares.allocated(i) + gpus > bound) {
                return false;
            }
        }
        return true;
    }

    /** True when the claim would be within its share once enough of what its own team holds has ended. */
    public static boolean couldFit(PoolShares shares, JobFacts job, int leaf, int gpus) {
        var tree = shares.tree();
        for (int i = leaf; i != TeamTree.NO_PARENT; i = tree.parent(i)) {
            if (gpus > Math.max(shares.deserved(i), shares.guaranteed(i)) || gpus > shares.limit(i)) {
                return false;
            }
        }
        return fitsBounds(shares, job, leaf, gpus);
    }

    /** True when the claim could be within what its team gets although others want everything, or deserves today. */
    public static boolean isPromised(PoolShares shares, JobFacts job, int leaf, int gpus) {
        var tree = shares.tree();
        for (int i = leaf; i != TeamTree.NO_PARENT; i = tree.parent(i)) {
            int bound = Math.max(shares.entitlement(i), Math.max(shares.deserved(i), shares.guaranteed(i)));
            if (gpus > Math.min(bound, shares.limit(i))) {
                return false;
            }
        }
        return fitsBounds(shares, job, leaf, gpus);
    }

    /** The bounds of the user and of the guarantee hold the claim alone. */
    private static boolean fitsBounds(PoolShares shares, JobFacts job, int leaf, int gpus) {
        var cap = shares.tree().team(leaf).userCap();
        return (cap == null || gpus <= cap) && (job.preemptible() || gpus <= shares.firmBound(leaf));
    }

    /** GPUs of the pool that are not held and that no team beside the leaf's path withholds. */
    public static long lentToday(PoolShares shares, int leaf) {
        return (long) shares.capacity() - shares.total() - shares.withheldBeside(leaf);
    }

    private static @Nullable Reason gate(PoolShares shares, JobFacts job, int leaf, int gpus, int userHeld) {
        var tree = shares.tree();
        for (int i = leaf; i != TeamTree.NO_PARENT; i = tree.parent(i)) {
            if ((long) shares.allocated(i) + gpus > shares.limit(i)) {
                return new Reason.TeamLimit(
                        tree.team(i).id(), shares.pool(), gpus, shares.allocated(i), shares.limit(i));
            }
        }
        var cap = tree.team(leaf).userCap();
        if (cap != null && (long) userHeld + gpus > cap) {
            return new Reason.UserLimit(job.team(), job.user(), shares.pool(), gpus, userHeld, cap);
        }
        if (!job.preemptible() && (long) shares.firm(leaf) + gpus > shares.firmBound(leaf)) {
            return new Reason.GuaranteeInUse(
                    job.team(), shares.pool(), gpus, shares.firm(leaf), shares.firmBound(leaf));
        }
        return null;
    }
}
