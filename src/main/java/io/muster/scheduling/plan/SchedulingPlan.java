package io.muster.scheduling.plan;

import io.muster.model.Explanation;
import java.util.List;

/**
 * A plan.
 *
 * @param decisions what to do, in order
 * @param explanations one for each job that still waits after this plan, in order of its place
 * @param shares the shares the plan went by, one row per team and pool
 * @param setAside jobs that made the core throw; the plan is good for all others
 */
public record SchedulingPlan(
        List<Decision> decisions, List<Explanation> explanations, List<ShareRow> shares, List<SetAside> setAside) {
    public SchedulingPlan {
        decisions = List.copyOf(decisions);
        explanations = List.copyOf(explanations);
        shares = List.copyOf(shares);
        setAside = List.copyOf(setAside);
    }

    public SchedulingPlan(List<Decision> decisions, List<Explanation> explanations, List<ShareRow> shares) {
        this(decisions, explanations, shares, List.of());
    }
}
