package io.muster.scheduling.fairshare;

import io.muster.model.PoolId;
import io.muster.scheduling.snapshot.QuotaView;

/** The quotas of one pool by entry of the tree, as promised; nothing here depends on who runs or waits. */
final class Quotas {
    static final int NO_LIMIT = Integer.MAX_VALUE;
    /** Weights are scaled so that past use can bend them in whole numbers. */
    private static final int SCALE = 1 << 16;

    private static final int MOST_WEIGHT = 10_000;

    final int[] promised;
    final int[] limit;
    final int[] lendable;
    final long[] weight;
    final long[] bentWeight;

    Quotas(TeamTree tree, PoolId pool, double usageStrength) {
        int n = tree.size();
        promised = new int[n];
        limit = new int[n];
        lendable = new int[n];
        weight = new long[n];
        bentWeight = new long[n];
        for (int i = n - 1; i >= 0; i--) {
            var given = tree.isOwn(i) ? null : tree.team(i).quotas().get(pool);
            var quota = given == null ? QuotaView.NONE : given;
            promised[i] = Math.max(0, quota.guaranteed());
            limit[i] = quota.limit() == null ? NO_LIMIT : Math.max(0, quota.limit());
            lendable[i] = quota.lendable() == null ? NO_LIMIT : Math.max(0, quota.lendable());
            weight[i] = Math.clamp(quota.weight(), 0, MOST_WEIGHT);
            bentWeight[i] = bent(weight[i], usageStrength * quota.usage());
        }
        // A team without a quota of its own promises what the teams below it were promised.
        for (int i = n - 1; i >= 0; i--) {
            if (!tree.team(i).quotas().containsKey(pool)) {
                for (int child : tree.below(i)) {
                    promised[i] += promised[child];
                }
            }
        }
    }

    /** {@code weight x 2^(-bend)}, at least one part in {@code SCALE} for a team that has a weight at all. */
    private static long bent(long weight, double bend) {
        if (weight == 0) {
            return 0;
        }
        double scaled = weight * StrictMath.pow(2, -Math.clamp(bend, 0, 16)) * SCALE;
        return Math.max(1, Math.round(scaled));
    }
}
