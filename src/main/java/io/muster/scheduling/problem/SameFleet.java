package io.muster.scheduling.problem;

import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.PoolView;
import java.util.List;

/** Whether two snapshots show one fleet: the very same nodes in pools of the same levels. */
final class SameFleet {
    private SameFleet() {}

    static boolean in(ClusterSnapshot a, ClusterSnapshot b) {
        return areSame(a.nodes(), b.nodes()) && levels(a.pools()).equals(levels(b.pools()));
    }

    private static List<PoolView> levels(List<PoolView> pools) {
        return pools.stream().map(p -> new PoolView(p.id(), p.levels())).toList();
    }

    private static boolean areSame(List<?> a, List<?> b) {
        if (a.size() != b.size()) {
            return false;
        }
        for (int i = 0; i < a.size(); i++) {
            if (a.get(i) != b.get(i)) {
                return false;
            }
        }
        return true;
    }
}
