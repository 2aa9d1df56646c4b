package io.muster.scheduling.verify;

import io.muster.model.PoolId;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.verify.Breach.Rule;
import io.muster.scheduling.verify.PlaceRules.Finding;
import io.muster.scheduling.verify.Tree.Step;
import java.util.ArrayList;
import java.util.List;

/** The rules of shares that a job must meet to start or to be promised GPUs. */
final class ClaimRules {
    private final ShareFacts shares;

    ClaimRules(ShareFacts shares) {
        this.shares = shares;
    }

    /**
     * What forbids the job so many GPUs, as things are counted now.
     *
     * @param promised GPUs were promised to it in an earlier cycle, when its team deserved them
     */
    List<Finding> check(JobFacts facts, PoolId pool, int gpus, boolean promised) {
        var findings = new ArrayList<Finding>();
        for (var step : shares.way(facts.team())) {
            var team = shares.team(step.team());
            var quota = team == null ? null : team.quotas().get(pool);
            if (quota != null
                    && quota.limit() != null
                    && !step.own()
                    && shares.allocated(step, pool) + gpus > quota.limit()) {
                findings.add(new Finding(
                        Rule.TEAM_LIMIT,
                        step.team() + " holds " + shares.allocated(step, pool) + " of " + quota.limit()));
            }
        }
        var team = shares.team(facts.team());
        if (team != null && team.userCap() != null && shares.heldByUser(facts, pool) + gpus > team.userCap()) {
            findings.add(new Finding(Rule.USER_CAP, shares.heldByUser(facts, pool) + " of " + team.userCap()));
        }
        if (!facts.preemptible()) {
            firm(facts, pool, gpus, findings);
        }
        if (!promised && !shares.isPrivileged(facts, pool, gpus) && !isWithin(facts, pool, gpus, List.of())) {
            beyond(facts, pool, gpus, findings);
        }
        return findings;
    }

    private void firm(JobFacts facts, PoolId pool, int gpus, List<Finding> findings) {
        var way = shares.way(facts.team());
        long bound = shares.firmBound(facts.team(), pool);
        if (!way.isEmpty() && shares.firm(way.getFirst(), pool) + gpus > bound) {
            findings.add(new Finding(Rule.GUARANTEE, shares.firm(way.getFirst(), pool) + " of " + bound));
        }
    }

    /** Beyond its share a team only borrows: jobs that can yield, on GPUs that nobody keeps to itself. */
    private void beyond(JobFacts facts, PoolId pool, int gpus, List<Finding> findings) {
        if (!facts.preemptible()) {
            findings.add(new Finding(Rule.GUARANTEE, "beyond what its team deserves"));
        } else if (shares.lent(facts.team(), pool) < gpus) {
            findings.add(new Finding(Rule.WITHHELD, gpus + " of " + shares.lent(facts.team(), pool) + " lent"));
        }
    }

    /** With so many GPUs more, every step of the team's way that is not in {@code except} keeps to its share. */
    boolean isWithin(JobFacts facts, PoolId pool, int gpus, List<Step> except) {
        for (var step : shares.way(facts.team())) {
            if (!except.contains(step) && shares.allocated(step, pool) + gpus > shares.bound(step, pool)) {
                return false;
            }
        }
        return true;
    }

    /** Once both started, a step that the head's team and this one have in common would be beyond its share. */
    boolean delaysHead(JobFacts facts, int gpus, JobFacts head, int headGpus, PoolId pool) {
        var headsWay = shares.way(head.team());
        for (var step : shares.way(facts.team())) {
            var team = shares.team(step.team());
            var quota = team == null || step.own() ? null : team.quotas().get(pool);
            long bound = shares.bound(step, pool);
            if (quota != null && quota.limit() != null) {
                bound = Math.min(bound, quota.limit());
            }
            if (headsWay.contains(step) && shares.allocated(step, pool) + headGpus + gpus > bound) {
                return true;
            }
        }
        return false;
    }
}
