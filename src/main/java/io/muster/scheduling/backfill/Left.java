package io.muster.scheduling.backfill;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.draft.Tenure;
import io.muster.scheduling.fairshare.PoolShares;
import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.problem.Claimant;

/** What a claimant's team, the teams above it and its user still hold after some jobs have ended. */
final class Left {
    private final Draft draft;
    private final Claimant claimant;
    private final int pool;
    private final PoolShares shares;
    private final TeamTree tree;
    private final int[] ended;
    private int endedFirm;
    private int endedOfUser;

    Left(Draft draft, Claimant claimant, int pool) {
        this.draft = draft;
        this.claimant = claimant;
        this.pool = pool;
        shares = draft.shares(pool);
        tree = shares.tree();
        ended = new int[tree.size()];
    }

    void ends(Tenure tenure) {
        for (int i = tenure.leaf(); i != TeamTree.NO_PARENT; i = tree.parent(i)) {
            ended[i] += tenure.gpus();
        }
        endedFirm += tenure.firm() && tenure.leaf() == claimant.leaf() ? tenure.gpus() : 0;
        endedOfUser += tenure.user() == claimant.user() ? tenure.gpus() : 0;
    }

    boolean letsIn() {
        for (int i = claimant.leaf(); i != TeamTree.NO_PARENT; i = tree.parent(i)) {
            long held = (long) shares.allocated(i) - ended[i] + claimant.gpus();
            if (held > Math.max(shares.deserved(i), shares.guaranteed(i)) || held > shares.limit(i)) {
                return false;
            }
        }
        int leaf = claimant.leaf();
        var cap = tree.team(leaf).userCap();
        long ofUser = (long) draft.held(pool)[claimant.user()] - endedOfUser + claimant.gpus();
        long firm = (long) shares.firm(leaf) - endedFirm + claimant.gpus();
        return (cap == null || ofUser <= cap) && (claimant.facts().preemptible() || firm <= shares.firmBound(leaf));
    }
}
