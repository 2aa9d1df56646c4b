package io.muster.scheduling.preemption;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.fairshare.PoolShares;
import io.muster.scheduling.fairshare.Standing;
import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.ordering.InnerOrder;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.preemption.Clearing.Chosen;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** What one claimant may take from whom in one pool; asks the shares as they are at the moment of asking. */
final class Claim {
    private static final int UNKNOWN = Integer.MIN_VALUE;

    private final Draft draft;
    private final Claimant claimant;
    private final int pool;
    private final PoolShares shares;
    private final TeamTree tree;
    private final InnerOrder order;
    private final double rank;
    private final boolean head;
    private final boolean privileged;
    private final boolean guaranteed;
    private final Map<Integer, Integer> takenOf = new HashMap<>();
    private final Reclaimed reclaimed;
    private final int[] commonWith;
    private final int wholeBudget;
    private int reclaimBudget;

    /** {@code head}: it owns a reservation, and may take back what others were backfilled on. */
    Claim(Draft draft, Claimant claimant, int pool, boolean head, int reclaimBudget) {
        this.draft = draft;
        this.claimant = claimant;
        this.pool = pool;
        this.head = head;
        order = new InnerOrder(draft.problem());
        rank = order.rank(claimant);
        shares = draft.shares(pool);
        tree = shares.tree();
        reclaimed = new Reclaimed(tree);
        commonWith = new int[tree.size()];
        Arrays.fill(commonWith, UNKNOWN);
        privileged = draft.isPrivileged(claimant, pool);
        guaranteed = draft.holdings().isGuaranteed(claimant, pool);
        this.reclaimBudget = guaranteed ? Integer.MAX_VALUE : reclaimBudget;
        wholeBudget = this.reclaimBudget;
    }

    Claimant claimant() {
        return claimant;
    }

    boolean isGuaranteed() {
        return guaranteed;
    }

    /** Why the candidate must yield to this claim now, or null when it need not. */
    @Nullable Cause cause(Candidate candidate) {
        return cause(candidate, mayReclaimFrom(candidate.occupant().leaf(), left(candidate)));
    }

    /** The same when it is known whether {@link #mayReclaimFrom} its team. */
    @Nullable Cause cause(Candidate candidate, boolean reclaims) {
        var victim = candidate.occupant();
        if (victim.pool() != pool || draft.isLeaving(victim)) {
            return null;
        }
        if (head && victim.job().backfilled()) {
            return Cause.BACKFILL;
        }
        if (!candidate.open()) {
            return null;
        }
        boolean lower = victim.facts().priority() < claimant.facts().priority();
        if (victim.leaf() == claimant.leaf()) {
            // What a turn costs is weighed for whole jobs: replicas that can be spared are no turn.
            boolean turn = candidate.part() == null && takesTurn(candidate);
            return lower ? Cause.PREEMPTION : turn ? Cause.TURN : null;
        }
        if (privileged && lower) {
            return Cause.ACROSS_TEAMS;
        }
        return reclaims && !victim.facts().acrossTeams() && isLeft(candidate) ? Cause.RECLAIM : null;
    }

    /** The rate outside guarantees leaves as much. */
    private boolean isLeft(Candidate candidate) {
        boolean left = left(candidate) <= reclaimBudget;
        if (!left && left(candidate) <= wholeBudget) {
            reclaimed.runsOut(candidate.occupant().leaf());
        }
        return left;
    }

    /** GPUs that go with the candidate: of an elastic job that leaves whole, all that were not taken of it before. */
    private int left(Candidate candidate) {
        var victim = candidate.occupant();
        return candidate.part() == null || !candidate.takesWhole()
                ? victim.gpus()
                : draft.problem().occupants().get(victim.number()).gpus() - takenOf.getOrDefault(victim.number(), 0);
    }

    private boolean takesTurn(Candidate candidate) {
        return candidate.occupant().facts().priority() == claimant.facts().priority()
                && order.mayTake(claimant, rank, candidate.occupant(), candidate.rank(), candidate.cost());
    }

    /** True when that other team is above its share now, and this one is not with the claim. */
    boolean mayReclaimFrom(int leaf) {
        return mayReclaimFrom(leaf, 1);
    }

    /** The same for a victim of {@code gpus}: those taken before that are larger may just as well come after it. */
    private boolean mayReclaimFrom(int leaf, int gpus) {
        boolean above = shares.allocated(leaf) > shares.deserved(leaf);
        if (leaf == claimant.leaf() || (!above && reclaimed.sum(leaf) == 0)) {
            return false; // the answer for most, without a walk through the tree
        }
        int common = common(leaf);
        return isAbove(leaf, common, gpus) && Standing.within(shares, claimant.leaf(), claimant.gpus(), common);
    }

    /** Nodes on which somebody must yield to this claim now; whoever must yield later stands beside one who leaves. */
    BitSet nodesToClear(Candidates candidates) {
        var nodes = new BitSet();
        Yielding.each(this, candidates, victim -> victim.occupant().spots().forEach(spot -> nodes.set(spot.node())));
        return nodes;
    }

    /** True when somebody of that team might have to yield for another reason than its share. */
    boolean mayTakeFrom(int leaf, Candidates candidates) {
        boolean lower = candidates.lowestPriority(leaf) < claimant.facts().priority();
        return head || (lower && privileged) || (leaf == claimant.leaf() && mayTakeInside(candidates));
    }

    /** True when somebody of its own team comes later in the order, and it may take from no other team. */
    boolean isTurn(Candidates candidates) {
        if (head || privileged || candidates.highestRank(claimant.leaf()) <= rank) {
            return false;
        }
        for (int leaf : candidates.leaves()) {
            if (mayReclaimFrom(leaf)) {
                return false;
            }
        }
        return true;
    }

    /** False when nobody of the claimant's own team has a lower priority or comes later in its order. */
    boolean mayTakeInside(Candidates candidates) {
        return candidates.lowestPriority(claimant.leaf()) < claimant.facts().priority()
                || candidates.highestRank(claimant.leaf()) > rank;
    }

    /** When it leaves, the claimant's side holds less, so that others may have become reclaimable by that alone. */
    boolean helpsTaking(Candidate candidate) {
        return common(candidate.occupant().leaf()) != TeamTree.NO_PARENT;
    }

    private boolean isAbove(int leaf, int common, int gpus) {
        for (int i = leaf; i != common; i = tree.parent(i)) {
            int deserved = shares.deserved(i);
            if (shares.allocated(i) + reclaimed.later(i, gpus) <= deserved) {
                if (shares.allocated(i) + reclaimed.sum(i) > deserved) {
                    reclaimed.runsOut(leaf);
                }
                return false;
            }
        }
        return true;
    }

    /** Teams of which somebody could no longer be taken because others were, since this was asked last. */
    BitSet thatRanOut() {
        return reclaimed.thatRanOut();
    }

    /**
     * The order in which victims are asked so that each is rightful when those before it have left: the nearer to the
     * claimant's team the sooner, as its side holds less then, and of those reclaimed the largest last.
     */
    Comparator<Taken> asking() {
        return asking(Taken::occupant, Taken::cause, Taken::gpusFreed);
    }

    /** The same of candidates. */
    Comparator<Chosen> asking(Candidates candidates) {
        Function<Chosen, Occupant> victim = v -> candidates.get(v.rank()).occupant();
        return asking(victim, Chosen::cause, v -> victim.apply(v).gpus());
    }

    private <V> Comparator<V> asking(Function<V, Occupant> victim, Function<V, Cause> cause, ToIntFunction<V> gpus) {
        return Comparator.comparingInt((V v) -> -nearness(victim.apply(v)))
                .thenComparing(v -> cause.apply(v) != Cause.RECLAIM)
                .thenComparingInt(gpus);
    }

    private int nearness(Occupant victim) {
        int common = common(victim.leaf());
        return common == TeamTree.NO_PARENT ? -1 : tree.depth(common);
    }

    /** The lowest entry above both the claimant's team and the other. */
    private int common(int leaf) {
        if (commonWith[leaf] == UNKNOWN) {
            commonWith[leaf] = tree.commonAncestor(claimant.leaf(), leaf);
        }
        return commonWith[leaf];
    }

    /** Counts a victim out of the shares, for trial. */
    void take(Candidate candidate, Cause cause) {
        count(candidate, cause, -1);
        reclaimBudget -=
                cause == Cause.RECLAIM && !guaranteed ? candidate.occupant().gpus() : 0;
    }

    /** Counts a victim in again. */
    void giveBack(Candidate candidate, Cause cause) {
        count(candidate, cause, 1);
        reclaimBudget +=
                cause == Cause.RECLAIM && !guaranteed ? candidate.occupant().gpus() : 0;
    }

    private void count(Candidate candidate, Cause cause, int sign) {
        var o = candidate.occupant();
        draft.holdings().count(o, sign);
        if (cause == Cause.RECLAIM) {
            reclaimed.count(o.leaf(), common(o.leaf()), o.gpus(), -sign);
        }
        if (candidate.part() != null) {
            takenOf.merge(o.number(), -sign * o.gpus(), Integer::sum);
        }
    }

    /** True when with the claim its team, and every team above, is at most at its deserved share. */
    boolean keepsToShare() {
        return Standing.within(shares, claimant.leaf(), claimant.gpus(), TeamTree.NO_PARENT);
    }

    /** True when the shares let the claimant in, victims counted out as they are now. */
    boolean isLetIn() {
        return draft.holdings().letsIn(claimant, pool, privileged);
    }
}
