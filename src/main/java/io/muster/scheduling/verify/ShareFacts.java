package io.muster.scheduling.verify;

import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.TeamView;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.scheduling.verify.Tree.Step;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who holds, wants and deserves how much, counted from the facts alone, as decisions change it. */
final class ShareFacts {
    private final ClusterSnapshot snapshot;
    private final Tree tree;
    private final Holdable holdable;
    private final Map<StepKey, Integer> held = new HashMap<>();
    private final Map<StepKey, Integer> firm = new HashMap<>();
    private final Map<PoolId, Integer> total = new HashMap<>();
    private final Map<UserKey, Integer> byUser = new HashMap<>();
    private final Map<UserKey, Long> wantedByUser = new HashMap<>();
    private final Map<ClassKey, Integer> byClass = new HashMap<>();
    private final Map<PoolId, Integer> capacity = new HashMap<>();
    private final Map<PoolId, Deserved> splits = new HashMap<>();

    private record StepKey(Step step, PoolId pool) {}

    private record ClassKey(String priorityClass, PoolId pool) {}

    private record UserKey(TeamId team, PoolId pool, UserId user) {}

    ShareFacts(ClusterSnapshot snapshot) {
        this.snapshot = snapshot;
        tree = new Tree(snapshot);
        holdable = new Holdable(snapshot);
        countCapacity();
        for (var job : snapshot.running()) {
            want(job.facts(), job.pool(), wanted(job));
            if (!job.leaving() || job.leavingFor() == null) {
                count(job.facts(), job.pool(), job.gpusHeld());
            }
        }
        var owners = new HashMap<JobId, JobFacts>();
        snapshot.running().stream().filter(World::movesOn).forEach(r -> owners.put(r.id(), r.facts()));
        for (var job : snapshot.waiting()) {
            owners.put(job.id(), job.facts());
            var pool = isCountable(job.facts()) ? holdable.pool(job.facts()) : null;
            if (pool != null && !isInBackoff(job)) {
                want(job.facts(), pool, job.facts().gpus());
            }
        }
        for (var r : snapshot.reservations()) {
            var owner = owners.get(r.job());
            if (r.kind() != ReservationView.Kind.HEAD && owner != null) {
                count(owner, r.pool(), World.gpus(r.placements()));
            }
        }
    }

    /** A job that can have more replicas wants them, unless it ends. */
    private static int wanted(RunningJob job) {
        boolean ends = job.leaving() && job.leavingFor() == null;
        boolean elastic = job.facts().groups().stream().anyMatch(g -> g.min() < g.replicas());
        return elastic && !ends ? Math.max(job.gpusHeld(), job.facts().gpus()) : job.gpusHeld();
    }

    /** What no number can say is set aside by the core and wants nothing. */
    private boolean isCountable(JobFacts facts) {
        long gpus = 0;
        for (var group : facts.groups()) {
            gpus += (long) group.replicas() * group.each().gpus();
        }
        return gpus >= 0 && gpus <= Integer.MAX_VALUE && tree.team(facts.team()) != null;
    }

    /** True when it stands in the order of the pool. */
    boolean standsIn(WaitingJob job, PoolId pool) {
        return isCountable(job.facts()) && !isInBackoff(job) && pool.equals(holdable.pool(job.facts()));
    }

    private boolean isInBackoff(WaitingJob job) {
        return job.backoff() != null && job.backoff().until().isAfter(snapshot.asOf());
    }

    /** GPUs of nodes that take replicas, less foreign pods, and what Muster's jobs hold on the others. */
    private void countCapacity() {
        var closed = new HashMap<NodeId, PoolId>();
        for (var node : snapshot.nodes()) {
            if (node.takesReplicas()) {
                int ours = node.allocatable().gpus() - node.foreign().gpus();
                capacity.merge(node.pool(), Math.max(0, ours), Integer::sum);
            } else {
                closed.put(node.id(), node.pool());
            }
        }
        for (var job : snapshot.running()) {
            for (var p : job.placements()) {
                var pool = closed.get(p.node());
                if (pool != null) {
                    capacity.merge(pool, p.amount().gpus(), Integer::sum);
                }
            }
        }
    }

    private void want(JobFacts facts, PoolId pool, int gpus) {
        wantedByUser.merge(new UserKey(facts.team(), pool, facts.user()), (long) gpus, Long::sum);
    }

    void count(JobFacts facts, PoolId pool, int gpus) {
        for (var step : tree.way(facts.team())) {
            held.merge(new StepKey(step, pool), gpus, Integer::sum);
            firm.merge(new StepKey(step, pool), facts.preemptible() ? 0 : gpus, Integer::sum);
        }
        if (tree.team(facts.team()) != null) {
            total.merge(pool, gpus, Integer::sum);
        }
        byUser.merge(new UserKey(facts.team(), pool, facts.user()), gpus, Integer::sum);
        if (facts.acrossTeams()) {
            byClass.merge(new ClassKey(facts.priorityClass(), pool), gpus, Integer::sum);
        }
    }

    /** A job that ends wants no more than what it still holds. */
    void ends(RunningJob job) {
        int less = wanted(job) - job.gpusHeld();
        if (less > 0) {
            want(job.facts(), job.pool(), -less);
            splits.remove(job.pool());
        }
    }

    /** A job that starts elsewhere than it queued wants its GPUs there from now on. */
    void started(JobFacts facts, PoolId pool) {
        var queued = holdable.pool(facts);
        if (queued != null && !queued.equals(pool)) {
            want(facts, queued, -facts.gpus());
            want(facts, pool, facts.gpus());
            splits.remove(queued);
            splits.remove(pool);
        }
    }

    private Deserved split(PoolId pool) {
        return splits.computeIfAbsent(pool, p -> {
            var demand = new HashMap<Step, Long>();
            wantedByUser.forEach((key, gpus) -> {
                var team = tree.team(key.team);
                if (team != null && key.pool.equals(p)) {
                    long capped = team.userCap() == null ? gpus : Math.min(gpus, team.userCap());
                    demand.merge(tree.way(key.team).getFirst(), capped, Long::sum);
                }
            });
            return new Deserved(tree, p, capacity(p), snapshot.settings().usageStrength(), demand);
        });
    }

    int capacity(PoolId pool) {
        return capacity.getOrDefault(pool, 0);
    }

    boolean knows(TeamId team) {
        return tree.team(team) != null;
    }

    int heldByClass(String priorityClass, PoolId pool) {
        return byClass.getOrDefault(new ClassKey(priorityClass, pool), 0);
    }

    int heldByUser(JobFacts facts, PoolId pool) {
        return byUser.getOrDefault(new UserKey(facts.team(), pool, facts.user()), 0);
    }

    /** True when the job's class may take from other teams and has not used up its cap in the pool. */
    boolean isPrivileged(JobFacts facts, PoolId pool, int gpus) {
        return facts.acrossTeams()
                && (facts.classCap() == null || heldByClass(facts.priorityClass(), pool) + gpus <= facts.classCap());
    }

    @Nullable TeamView team(TeamId id) {
        return tree.team(id);
    }

    List<Step> way(TeamId team) {
        return tree.way(team);
    }

    int allocated(Step step, PoolId pool) {
        return held.getOrDefault(new StepKey(step, pool), 0);
    }

    int firm(Step step, PoolId pool) {
        return firm.getOrDefault(new StepKey(step, pool), 0);
    }

    long deserved(Step step, PoolId pool) {
        return split(pool).deserved(step);
    }

    long guaranteed(Step step, PoolId pool) {
        return split(pool).guaranteed(step);
    }

    long demand(Step step, PoolId pool) {
        return split(pool).demand(step);
    }

    long withheld(Step step, PoolId pool) {
        return split(pool).withheld(step);
    }

    /** What a step may hold by right. */
    long bound(Step step, PoolId pool) {
        return Math.max(deserved(step, pool), guaranteed(step, pool));
    }

    /** GPUs that nobody holds, less what other teams keep to themselves. */
    long lent(TeamId team, PoolId pool) {
        long free = capacity(pool) - (long) total.getOrDefault(pool, 0);
        var way = tree.way(team);
        for (int i = 0; i < way.size(); i++) {
            var parent = i + 1 < way.size() ? way.get(i + 1) : null;
            for (var sibling : tree.siblings(way.get(i), parent)) {
                free -= withheld(sibling, pool);
            }
        }
        return free;
    }

    /** What jobs of the team that cannot be preempted may hold. */
    long firmBound(TeamId team, PoolId pool) {
        var step = new Step(team, false);
        long bound = guaranteed(step, pool);
        for (var child : tree.below(step)) {
            bound -= guaranteed(child, pool);
        }
        return Math.max(0, bound);
    }
}
