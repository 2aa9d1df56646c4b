package io.muster.scheduling.verify;

import io.muster.model.PoolId;
import io.muster.scheduling.snapshot.QuotaView;
import io.muster.scheduling.verify.Tree.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What every step of the tree deserves in one pool, split again from quotas and demand. */
final class Deserved {
    private static final long UNBOUNDED = Integer.MAX_VALUE;
    private static final int PARTS_OF_A_WEIGHT = 65_536;
    private static final int HEAVIEST = 10_000;

    private final Tree tree;
    private final PoolId pool;
    private final double usageStrength;
    private final Map<Step, Long> leafDemand;
    private final Map<Step, Long> promised = new HashMap<>();
    private final Map<Step, Long> guaranteed = new HashMap<>();
    private final Map<Step, Long> demand = new HashMap<>();
    private final Map<Step, Long> withheld = new HashMap<>();
    private final Map<Step, Long> deserved = new HashMap<>();

    /** Splits {@code capacity}; {@code leafDemand}: what jobs hold or want, by the first step of their team's way. */
    Deserved(Tree tree, PoolId pool, long capacity, double usageStrength, Map<Step, Long> leafDemand) {
        this.tree = tree;
        this.pool = pool;
        this.usageStrength = usageStrength;
        this.leafDemand = leafDemand;
        tree.tops().forEach(this::promise);
        guarantee(tree.tops(), capacity);
        tree.tops().forEach(this::want);
        tree.tops().forEach(this::withhold);
        split(tree.tops(), capacity);
    }

    private QuotaView quota(Step step) {
        var given = step.own()
                ? null
                : Objects.requireNonNull(tree.team(step.team())).quotas().get(pool);
        return given == null ? QuotaView.NONE : given;
    }

    private long promise(Step step) {
        long below = 0;
        for (var child : tree.below(step)) {
            below += promise(child);
        }
        boolean silent = !step.own()
                && !Objects.requireNonNull(tree.team(step.team())).quotas().containsKey(pool);
        long own = silent ? below : Math.max(0, quota(step).guaranteed());
        promised.put(step, own);
        return own;
    }

    private void guarantee(List<Step> siblings, long available) {
        long[] scaled = Split.within(available, pick(promised, siblings));
        for (int i = 0; i < scaled.length; i++) {
            guaranteed.put(siblings.get(i), scaled[i]);
            guarantee(tree.below(siblings.get(i)), scaled[i]);
        }
    }

    private long want(Step step) {
        long sum = leafDemand.getOrDefault(step, 0L);
        for (var child : tree.below(step)) {
            sum += want(child);
        }
        var limit = quota(step).limit();
        long bounded = Math.min(sum, limit == null ? UNBOUNDED : Math.max(0, limit));
        demand.put(step, bounded);
        return bounded;
    }

    private long withhold(Step step) {
        long below = 0;
        for (var child : tree.below(step)) {
            below += withhold(child);
        }
        long guarantee = at(guaranteed, step);
        long idle = guarantee - Math.min(guarantee, at(demand, step));
        var lendable = quota(step).lendable();
        long keeps = lendable == null ? 0 : idle - Math.max(0, lendable);
        long kept = Math.max(Math.max(0, keeps), Math.min(below, idle));
        withheld.put(step, kept);
        return kept;
    }

    private void split(List<Step> siblings, long available) {
        long[] first = new long[siblings.size()];
        long idle = 0;
        for (int i = 0; i < first.length; i++) {
            first[i] = Math.min(at(guaranteed, siblings.get(i)), at(demand, siblings.get(i)));
            idle += at(withheld, siblings.get(i));
        }
        first = Split.within(available, first);
        long[] room = new long[first.length];
        long[] weight = new long[first.length];
        long surplus = available - idle;
        for (int i = 0; i < first.length; i++) {
            room[i] = at(demand, siblings.get(i)) - first[i];
            weight[i] = weight(siblings.get(i));
            surplus -= first[i];
        }
        long[] more = Split.byWeight(Math.max(0, surplus), weight, room);
        for (int i = 0; i < first.length; i++) {
            deserved.put(siblings.get(i), first[i] + more[i]);
            split(tree.below(siblings.get(i)), first[i] + more[i]);
        }
    }

    /** Past use halves the weight in the surplus for each time it was used as entitled. */
    private long weight(Step step) {
        var quota = quota(step);
        long weight = Math.max(0, Math.min(HEAVIEST, quota.weight()));
        double bend = Math.max(0, Math.min(16, usageStrength * quota.usage()));
        return weight == 0 ? 0 : Math.max(1, Math.round(weight * StrictMath.pow(2, -bend) * PARTS_OF_A_WEIGHT));
    }

    private static long[] pick(Map<Step, Long> values, List<Step> steps) {
        return new ArrayList<>(steps).stream().mapToLong(s -> at(values, s)).toArray();
    }

    private static long at(Map<Step, Long> values, Step step) {
        return values.getOrDefault(step, 0L);
    }

    long deserved(Step step) {
        return at(deserved, step);
    }

    long guaranteed(Step step) {
        return at(guaranteed, step);
    }

    long withheld(Step step) {
        return at(withheld, step);
    }

    long demand(Step step) {
        return at(demand, step);
    }
}
