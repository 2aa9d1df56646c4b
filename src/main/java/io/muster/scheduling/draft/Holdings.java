package io.muster.scheduling.draft;

import io.muster.scheduling.fairshare.PoolShares;
import io.muster.scheduling.fairshare.Standing;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.problem.Problem;
import io.muster.scheduling.snapshot.JobFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What counts for whom: GPUs of teams, users and privileged classes, pool by pool, as the plan goes on. */
public final class Holdings {
    private final List<PoolShares> shares = new ArrayList<>();
    private final List<Demand> demands = new ArrayList<>();
    private final int[][] held;
    private final Map<ClassInPool, Integer> classHeld = new HashMap<>();

    private record ClassInPool(String priorityClass, int pool) {}

    Holdings(Problem problem) {
        held = new int[problem.fleet().pools().size()][problem.userCount()];
        for (var pool : problem.fleet().pools()) {
            int number = problem.fleet().poolNumber(pool.id());
            demands.add(new Demand(problem, number));
            shares.add(new PoolShares(
                    problem.tree(),
                    pool.id(),
                    Demand.capacity(problem, number),
                    problem.settings().usageStrength(),
                    demands.get(number).byLeaf()));
        }
        for (var occupant : problem.occupants()) {
            if (occupant.pool() >= 0 && occupant.leaf() >= 0 && !occupant.isLeavingForAnother()) {
                count(occupant, 1);
            }
        }
    }

    /** Counts an occupant in (1) or out (-1). */
    public void count(Occupant occupant, int sign) {
        count(occupant.facts(), occupant.pool(), occupant.leaf(), occupant.user(), sign * occupant.gpus());
    }

    /** Counts a claimant in (1) or out (-1). */
    void count(Claimant claimant, int pool, int sign) {
        count(claimant.facts(), pool, claimant.leaf(), claimant.user(), sign * claimant.gpus());
    }

    /** Counts an occupant in as it will be again at its next place: whole, whatever it holds at this moment. */
    void countWhole(Occupant occupant) {
        count(
                occupant.facts(),
                occupant.pool(),
                occupant.leaf(),
                occupant.user(),
                occupant.facts().gpus());
    }

    private void count(JobFacts facts, int pool, int leaf, int user, int gpus) {
        shares.get(pool).count(leaf, gpus, facts.preemptible());
        held[pool][user] += gpus;
        if (facts.acrossTeams()) {
            classHeld.merge(new ClassInPool(facts.priorityClass(), pool), gpus, Integer::sum);
        }
    }

    /** A job that starts in {@code pool} wants nothing any more where it queued; both pools are split again. */
    void moveDemand(Claimant claimant, int pool) {
        demand(claimant.pool(), claimant, -1);
        demand(pool, claimant, 1);
    }

    /** A job wants what {@code instead} does: the pools are split again, as if it had always been so. */
    public void want(Claimant job, Claimant instead) {
        demand(job.pool(), job, -1);
        demand(instead.pool(), instead, 1);
    }

    private void demand(int pool, Claimant claimant, int sign) {
        demands.get(pool).add(claimant.user(), sign * claimant.facts().gpus());
        shares.get(pool).want(demands.get(pool).byLeaf());
    }

    /** How the claim stands in the shares now. */
    public Standing standing(Claimant claimant, int pool) {
        return Standing.of(
                shares.get(pool), claimant.facts(), claimant.leaf(), claimant.gpus(), held[pool][claimant.user()]);
    }

    /** As {@link Standing#mayStart}, without the reasons. */
    public boolean mayStart(Claimant claimant, int pool) {
        var facts = claimant.facts();
        return Standing.mayStart(
                shares.get(pool), facts, claimant.leaf(), claimant.gpus(), held[pool][claimant.user()]);
    }

    /** True when no limit, cap or guarantee forbids the claim. */
    public boolean isUngated(Claimant claimant, int pool) {
        return Standing.isUngated(
                shares.get(pool), claimant.facts(), claimant.leaf(), claimant.gpus(), held[pool][claimant.user()]);
    }

    /** True when the shares let the claim in; one that is privileged keeps to limits, caps and guarantees alone. */
    public boolean letsIn(Claimant claimant, int pool, boolean privileged) {
        return privileged ? isUngated(claimant, pool) : mayStart(claimant, pool);
    }

    /** True when with the claim its team is at most at its guarantee. */
    public boolean isGuaranteed(Claimant claimant, int pool) {
        return Standing.isGuaranteed(shares.get(pool), claimant.leaf(), claimant.gpus());
    }

    /** True when the job's class may take from other teams and has not used up its cap in the pool. */
    public boolean isPrivileged(Claimant claimant, int pool) {
        var facts = claimant.facts();
        if (!facts.acrossTeams()) {
            return false;
        }
        long wanted = (long) heldByClass(facts.priorityClass(), pool) + claimant.gpus();
        return facts.classCap() == null || wanted <= facts.classCap();
    }

    /** GPUs of the pool that jobs of a class hold. */
    public int heldByClass(String priorityClass, int pool) {
        return classHeld.getOrDefault(new ClassInPool(priorityClass, pool), 0);
    }

    /** GPUs that each user holds in the pool, as it changes. */
    int[] held(int pool) {
        return held[pool];
    }

    PoolShares shares(int pool) {
        return shares.get(pool);
    }

    List<PoolShares> shares() {
        return shares;
    }
}
