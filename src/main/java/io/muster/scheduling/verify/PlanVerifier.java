package io.muster.scheduling.verify;

import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import java.util.List;

/** Checks a plan against the facts with code of its own; drop the decisions that breaches name and the rest is good. */
public final class PlanVerifier {
    private PlanVerifier() {}

    /** Every breach, in the order of the plan; empty for a good plan. */
    public static List<Breach> verify(ClusterSnapshot snapshot, SchedulingPlan plan) {
        throw new UnsupportedOperationException("lands next: " + snapshot.asOf() + plan.decisions());
    }
}
