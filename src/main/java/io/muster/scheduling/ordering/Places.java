package io.muster.scheduling.ordering;

import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.problem.Claimant;
import java.util.ArrayList;
import java.util.List;

/**
 * The places in order of one pool's claimants, as people see them: whose turn it would be if every job before had been
 * given its GPUs.
 */
public final class Places {
    private Places() {}

    /** Plays {@code turns} to its end; {@code allocated} and {@code held} are the arrays that it reads. */
    public static List<Claimant> inOrder(Turns turns, TeamTree tree, int[] allocated, int[] held) {
        var order = new ArrayList<Claimant>();
        for (var next = turns.peek(); next != null; next = turns.peek()) {
            order.add(next);
            turns.take(next);
            held[next.user()] += next.gpus();
            for (int i = next.leaf(); i >= 0; i = tree.parent(i)) {
                allocated[i] += next.gpus();
            }
            turns.settle(next.leaf());
        }
        return order;
    }
}
