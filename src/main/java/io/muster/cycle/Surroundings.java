package io.muster.cycle;

import io.muster.inventory.Node;
import io.muster.inventory.Pool;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.TeamOrder;
import io.muster.policy.PolicyValues;
import io.muster.policy.PriorityClass;
import io.muster.scheduling.snapshot.ModeView;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamQuota;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All that a plan depends on besides jobs, at one state of the books it was read from.
 *
 * @param mark grows with every change, so that whatever was made of an older one is made anew
 * @param policyNumber the policy's revision, for the journal
 * @param userCaps by team, the most GPUs of one user in one pool; absent: no cap
 * @param orders by team, archived ones too, which of its jobs goes first
 */
record Surroundings(
        Mark mark,
        long policyNumber,
        PolicyValues policy,
        PolicySettings settings,
        ModeView mode,
        Map<String, PriorityClass> classes,
        List<Pool> pools,
        List<PoolView> poolViews,
        List<Node> nodes,
        List<NodeView> nodeViews,
        List<Team> teams,
        List<TeamQuota> quotas,
        Map<TeamId, Integer> userCaps,
        Map<TeamId, TeamOrder> orders,
        PoolChoice poolChoice) {

    record Mark(long tenancy, long inventory, long policy) {}

    TeamOrder order(TeamId team) {
        return orders.getOrDefault(team, TeamOrder.FIFO);
    }

    /** Whether some team's order goes by what run times are like. */
    boolean learnsRunTimes() {
        return orders.containsValue(TeamOrder.ATTAINED_SERVICE);
    }

    Map<PoolId, Long> prices() {
        var prices = new TreeMap<PoolId, Long>();
        pools.forEach(pool -> prices.put(pool.id(), pool.microsPerGpuHour()));
        return prices;
    }
}
