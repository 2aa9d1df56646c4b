package io.muster.scheduling.backfill;

import io.muster.model.TeamOrder;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.problem.Claimant;

/**
 * Whether a team's turns do what a reservation is for. Jobs that take turns need none against each other: whoever comes
 * first takes its place, and a place kept for one who comes later only stands in the way of those before it. Against other
 * teams, who yield to no turn, a blocked job needs its start kept all the same.
 */
public final class OwnTurns {
    private OwnTurns() {}

    /** True when the claimant's team takes turns and no other team has or wants GPUs of the pool. */
    public static boolean suffice(Draft draft, Claimant claimant) {
        var shares = draft.shares(claimant.pool());
        var tree = shares.tree();
        if (tree.team(claimant.leaf()).order() == TeamOrder.FIFO) {
            return false;
        }
        for (int i = 0; i < tree.size(); i++) {
            if (tree.isLeaf(i) && i != claimant.leaf() && (shares.demand(i) > 0 || shares.allocated(i) > 0)) {
                return false;
            }
        }
        return true;
    }
}
