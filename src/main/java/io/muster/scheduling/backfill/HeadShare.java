package io.muster.scheduling.backfill;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.draft.Head;
import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.problem.Claimant;

/** A head needs its team's share as much as its nodes: who takes what is left of it delays the head all the same. */
public final class HeadShare {
    private HeadShare() {}

    /** True when a head of the pool would no longer fit its share, or that of a team above, after this start. */
    public static boolean isTakenBy(Claimant claimant, Draft draft, int pool) {
        for (var head : draft.heads().each()) {
            if (head.pool() == pool && delays(claimant, head, draft)) {
                return true;
            }
        }
        return false;
    }

    private static boolean delays(Claimant claimant, Head head, Draft draft) {
        var shares = draft.shares(head.pool());
        var tree = shares.tree();
        int common = tree.commonAncestor(claimant.leaf(), head.claimant().leaf());
        for (int i = common; i != TeamTree.NO_PARENT; i = tree.parent(i)) {
            long bound = Math.min(Math.max(shares.deserved(i), shares.guaranteed(i)), shares.limit(i));
            if ((long) shares.allocated(i) + head.claimant().gpus() + claimant.gpus() > bound) {
                return true;
            }
        }
        return false;
    }
}
