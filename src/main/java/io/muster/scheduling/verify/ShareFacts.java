package io.muster.scheduling.verify;

import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.scheduling.plan.ShareRow;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.snapshot.TeamView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who holds how much, counted again from the facts; what teams deserve is taken from the plan's own rows. */
final class ShareFacts {
    private final Map<TeamId, TeamView> teams = new HashMap<>();
    private final Map<RowKey, ShareRow> rows = new HashMap<>();
    private final Map<RowKey, Integer> ofJobsThere = new HashMap<>();
    private final Map<RowKey, Integer> firmThere = new HashMap<>();
    private final Map<UserKey, Integer> byUser = new HashMap<>();
    private final Map<ClassKey, Integer> byClass = new HashMap<>();

    private record RowKey(TeamId team, PoolId pool) {}

    private record ClassKey(String priorityClass, PoolId pool) {}

    private record UserKey(TeamId team, PoolId pool, UserId user) {}

    /**
     * One step of a team's way to the top.
     *
     * @param own stands for the jobs of an inner team itself
     */
    record Step(TeamId team, boolean own) {}

    ShareFacts(ClusterSnapshot snapshot, List<ShareRow> shareRows) {
        snapshot.teams().forEach(t -> teams.put(t.id(), t));
        shareRows.forEach(r -> rows.put(new RowKey(r.team(), r.pool()), r));
        for (var job : snapshot.running()) {
            if (!job.leaving() || job.leavingFor() == null) {
                count(job.facts(), job.pool(), job.gpusHeld());
            }
        }
        for (var r : snapshot.reservations()) {
            if (r.kind() == ReservationView.Kind.VICTIMS) {
                snapshot.waiting().stream()
                        .filter(w -> w.id().equals(r.job()))
                        .forEach(w -> count(w.facts(), r.pool(), w.facts().gpus()));
            }
        }
    }

    void count(JobFacts facts, PoolId pool, int gpus) {
        ofJobsThere.merge(new RowKey(facts.team(), pool), gpus, Integer::sum);
        byUser.merge(new UserKey(facts.team(), pool, facts.user()), gpus, Integer::sum);
        if (!facts.preemptible()) {
            firmThere.merge(new RowKey(facts.team(), pool), gpus, Integer::sum);
        }
        if (facts.acrossTeams()) {
            byClass.merge(new ClassKey(facts.priorityClass(), pool), gpus, Integer::sum);
        }
    }

    boolean knows(TeamId team) {
        return teams.containsKey(team);
    }

    int heldByClass(String priorityClass, PoolId pool) {
        return byClass.getOrDefault(new ClassKey(priorityClass, pool), 0);
    }

    int heldByUser(JobFacts facts, PoolId pool) {
        return byUser.getOrDefault(new UserKey(facts.team(), pool, facts.user()), 0);
    }

    @Nullable TeamView team(TeamId id) {
        return teams.get(id);
    }

    @Nullable ShareRow row(TeamId team, PoolId pool) {
        return rows.get(new RowKey(team, pool));
    }

    /** The team and those above it, from below; an inner team's own jobs first. */
    List<Step> way(TeamId team) {
        var way = new ArrayList<Step>();
        if (isInner(team)) {
            way.add(new Step(team, true));
        }
        var at = teams.get(team);
        while (at != null && way.size() <= teams.size() + 1) {
            way.add(new Step(at.id(), false));
            at = at.parent() == null ? null : teams.get(at.parent());
        }
        return way;
    }

    private boolean isInner(TeamId team) {
        return teams.values().stream().anyMatch(t -> team.equals(t.parent()));
    }

    private List<TeamView> children(TeamId team) {
        return teams.values().stream().filter(t -> team.equals(t.parent())).toList();
    }

    int allocated(Step step, PoolId pool) {
        return sum(ofJobsThere, step, pool);
    }

    int firm(Step step, PoolId pool) {
        return sum(firmThere, step, pool);
    }

    private int sum(Map<RowKey, Integer> amounts, Step step, PoolId pool) {
        int sum = amounts.getOrDefault(new RowKey(step.team, pool), 0);
        if (!step.own) {
            for (var child : children(step.team)) {
                sum += sum(amounts, new Step(child.id(), false), pool);
            }
        }
        return sum;
    }

    int deserved(Step step, PoolId pool) {
        var row = row(step.team, pool);
        int all = row == null ? 0 : row.deserved();
        if (!step.own) {
            return all;
        }
        for (var child : children(step.team)) {
            var below = row(child.id(), pool);
            all -= below == null ? 0 : below.deserved() + below.withheld();
        }
        return Math.max(0, all);
    }

    int guaranteed(Step step, PoolId pool) {
        var row = row(step.team, pool);
        return step.own || row == null ? 0 : row.guaranteed();
    }

    /** What jobs of the team that cannot be preempted may hold. */
    int firmBound(TeamId team, PoolId pool) {
        int bound = guaranteed(new Step(team, false), pool);
        for (var child : children(team)) {
            bound -= guaranteed(new Step(child.id(), false), pool);
        }
        return Math.max(0, bound);
    }
}
