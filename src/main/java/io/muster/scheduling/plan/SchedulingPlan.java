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
        List<Decision> decisions, Explained explained, List<ShareRow> shares, List<SetAside> setAside) {
    public SchedulingPlan {
        decisions = List.copyOf(decisions);
        shares = List.copyOf(shares);
        setAside = List.copyOf(setAside);
    }

    public SchedulingPlan(List<Decision> decisions, List<Explanation> explanations, List<ShareRow> shares) {
        this(decisions, Explained.of(explanations), shares, List.of());
    }

    /** Why those who wait do so, all of them. */
    public List<Explanation> explanations() {
        return explained.all();
    }
}
