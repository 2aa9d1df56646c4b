package io.muster.scheduling.draft;

import io.muster.scheduling.problem.Problem;

/**
 * What each team wants of one pool: GPUs that its jobs hold or wait for, a user's at most at the team's cap; jobs in
 * backoff left out; an elastic job wants its whole gang. A job that is leaving counts as long as it holds GPUs; a victim then waits, so that its team never
 * wants less.
 */
final class Demand {
    private final Problem problem;
    private final long[] byUser;
    private final int[] leafOf;

    Demand(Problem problem, int pool) {
        this.problem = problem;
        byUser = problem.wanted(pool);
        leafOf = problem.leafOfUsers();
        for (var o : problem.occupants()) {
            if (o.pool() == pool && o.leaf() >= 0) {
                byUser[o.user()] += o.wanted();
            }
        }
    }

    void add(int user, int gpus) {
        byUser[user] += gpus;
    }

    int[] byLeaf() {
        long[] sums = new long[problem.tree().size()];
        for (int u = 0; u < byUser.length; u++) {
            if (byUser[u] > 0) {
                var cap = problem.tree().team(leafOf[u]).userCap();
                sums[leafOf[u]] += cap == null ? byUser[u] : Math.min(byUser[u], cap);
            }
        }
        int[] demand = new int[sums.length];
        for (int i = 0; i < sums.length; i++) {
            demand[i] = (int) Math.min(Integer.MAX_VALUE / 2, sums[i]);
        }
        return demand;
    }

    /** GPUs of nodes that take replicas, foreign pods left out, and what Muster's jobs hold on the others. */
    static int capacity(Problem problem, int pool) {
        var fleet = problem.fleet();
        long sum = 0;
        for (int n = 0; n < fleet.size(); n++) {
            if (fleet.takes(n) && fleet.partitionOf(n).pool() == pool) {
                sum += Math.max(0, fleet.ours(n).gpus());
            }
        }
        for (var occupant : problem.occupants()) {
            for (var spot : occupant.spots()) {
                if (!fleet.takes(spot.node()) && fleet.partitionOf(spot.node()).pool() == pool) {
                    sum += spot.amount().gpus();
                }
            }
        }
        return (int) Math.min(Integer.MAX_VALUE / 2, sum);
    }
}
