package io.muster.scheduling.verify;

import io.muster.model.PoolId;
import io.muster.model.QuotaShape;
import io.muster.model.ReplicaPlacement;
import io.muster.model.TeamId;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.TeamView;
import io.muster.scheduling.verify.Tree.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A shape of a team's guarantee in a pool; {@code depth}: its level's place among the pool's {@code levels}. */
record Promised(Step owner, PoolId pool, List<String> levels, int depth, QuotaShape shape, int index) {

    /** All of them, in the order in which domains are kept for them. */
    static List<Promised> all(ClusterSnapshot snapshot) {
        var teams = new HashMap<TeamId, TeamView>();
        snapshot.teams().forEach(t -> teams.put(t.id(), t));
        var sorted = new ArrayList<>(snapshot.teams());
        sorted.sort(Comparator.comparingInt((TeamView t) -> above(t, teams))
                .thenComparing(TeamView::path)
                .thenComparing(TeamView::id));
        var all = new ArrayList<Promised>();
        for (var pool : snapshot.pools()) {
            var levels = pool.levels().isEmpty() ? List.of("node") : pool.levels();
            for (var team : sorted) {
                var quota = team.quotas().get(pool.id());
                for (var shape : quota == null ? List.<QuotaShape>of() : quota.shapes()) {
                    int depth = levels.indexOf(shape.level());
                    if (depth >= 0 && shape.count() > 0 && shape.gpus() > 0) {
                        all.add(new Promised(new Step(team.id(), false), pool.id(), levels, depth, shape, all.size()));
                    }
                }
            }
        }
        all.sort(Comparator.comparing(Promised::pool)
                .thenComparingInt(Promised::depth)
                .thenComparing(p -> -p.shape.gpus())
                .thenComparingInt(Promised::index));
        return all;
    }

    private static int above(TeamView team, Map<TeamId, TeamView> teams) {
        int count = 0;
        for (var t = team; t.parent() != null && teams.get(t.parent()) != null && count < teams.size(); count++) {
            t = teams.get(t.parent());
        }
        return count;
    }

    /** How many domains the job stands for with the replicas {@code on}, or with all of them; 0: it has another shape. */
    int domains(JobFacts facts, @Nullable List<ReplicaPlacement> on) {
        long whole = 0;
        int parts = 0;
        boolean fit = true;
        for (var group : facts.groups()) {
            long replicas = on == null
                    ? group.replicas()
                    : on.stream().filter(p -> p.group().equals(group.name())).count();
            var slices = group.slices();
            int size = slices != null && isWithinOne(slices.level()) ? slices.size() : 1;
            long part = (long) size * group.each().gpus();
            whole += replicas * group.each().gpus();
            if (part > 0) {
                fit &= fills(part);
                parts += (int) (replicas / size);
            }
        }
        if (isWithinOne(facts.topology().require())) {
            return fills(whole) ? 1 : 0;
        }
        return fit ? parts : 0;
    }

    private boolean isWithinOne(@Nullable String level) {
        return level != null && levels.indexOf(level) >= depth;
    }

    /** More than half of a domain, at most all of it. */
    private boolean fills(long gpus) {
        return gpus <= shape.gpus() && gpus > shape.gpus() / 2;
    }
}
