package io.muster.scheduling.fairshare;

import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.plan.ShareRow;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The shares of one pool in words: {@code split(8, cluster().team("a", guaranteed(4)), Map.of("a", 6))}. */
record Shares(PoolShares of) {
    static final PoolId POOL = new PoolId("gpu");

    /** Splits GPUs among the teams; an inner team that wants something has jobs of its own. */
    static Shares split(int gpus, Cluster teams, Map<String, Integer> wanted) {
        Set<TeamId> withJobs = wanted.keySet().stream().map(Ids::team).collect(Collectors.toSet());
        var tree = new TeamTree(teams.snapshot().teams(), withJobs);
        return new Shares(new PoolShares(tree, POOL, gpus, 1, wishes(tree, wanted)));
    }

    static int[] wishes(TeamTree tree, Map<String, Integer> wanted) {
        int[] wishes = new int[tree.size()];
        wanted.forEach((team, gpus) -> wishes[tree.leaf(Ids.team(team))] = gpus);
        return wishes;
    }

    /** Jobs of the team hold so many GPUs more. */
    Shares holds(String team, int gpus, boolean preemptible) {
        of.count(leaf(team), gpus, preemptible);
        return this;
    }

    int leaf(String team) {
        return of.tree().leaf(Ids.team(team));
    }

    int team(String team) {
        return of.tree().number(Ids.team(team));
    }

    int deserved(String team) {
        return of.deserved(team(team));
    }

    int guaranteed(String team) {
        return of.guaranteed(team(team));
    }

    int entitlement(String team) {
        return of.entitlement(team(team));
    }

    int withheld(String team) {
        return of.withheld(team(team));
    }

    ShareRow row(String team) {
        return of.rows().stream()
                .filter(r -> r.team().equals(Ids.team(team)))
                .findFirst()
                .orElseThrow();
    }
}
