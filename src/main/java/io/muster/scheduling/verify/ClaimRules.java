package io.muster.scheduling.verify;

import io.muster.model.PoolId;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.verify.Breach.Rule;
import io.muster.scheduling.verify.PlaceRules.Finding;
import io.muster.scheduling.verify.ShareFacts.Step;
import java.util.ArrayList;
import java.util.List;

/** The rules of shares that a job must meet to start or to be promised GPUs. */
final class ClaimRules {
    private final ShareFacts shares;

    ClaimRules(ShareFacts shares) {
        this.shares = shares;
    }

    /**
     * What forbids {@code gpus} more for the job, as things are counted now.
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
            firm(facts, pool, gpus, promised, findings);
        }
        return findings;
    }

    private void firm(JobFacts facts, PoolId pool, int gpus, boolean promised, List<Finding> findings) {
        var first = shares.way(facts.team()).getFirst();
        int bound = shares.firmBound(facts.team(), pool);
        if (shares.firm(first, pool) + gpus > bound) {
            findings.add(new Finding(Rule.GUARANTEE, shares.firm(first, pool) + " of " + bound));
        }
        if (!promised && !facts.acrossTeams() && !isWithin(facts, pool, gpus, List.of())) {
            findings.add(new Finding(Rule.GUARANTEE, "beyond what its team deserves"));
        }
    }

    /** With {@code gpus} more, every step of the team's way that is not in {@code except} keeps to its share. */
    boolean isWithin(JobFacts facts, PoolId pool, int gpus, List<Step> except) {
        for (var step : shares.way(facts.team())) {
            int bound = Math.max(shares.deserved(step, pool), shares.guaranteed(step, pool));
            if (!except.contains(step) && shares.allocated(step, pool) + gpus > bound) {
                return false;
            }
        }
        return true;
    }
}
