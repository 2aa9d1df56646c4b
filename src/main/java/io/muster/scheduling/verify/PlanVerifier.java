package io.muster.scheduling.verify;

import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.plan.ShareRow;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import java.util.List;

/** Checks a plan against the facts with code of its own; {@link #sound} drops what is wrong and keeps the rest. */
public final class PlanVerifier {
    private PlanVerifier() {}

    /** Every breach, in the order of the plan; empty for a good plan. */
    public static List<Breach> verify(ClusterSnapshot snapshot, SchedulingPlan plan) {
        return new Inspection(snapshot, plan).run();
    }

    /** A plan without breaches, and the breaches that were cut out of it. */
    public static Sound sound(ClusterSnapshot snapshot, SchedulingPlan plan) {
        return Sound.of(snapshot, plan);
    }

    /** Share rows of a good plan that do not agree with what the facts say after it; people read them. */
    public static List<ShareRow> misreported(ClusterSnapshot snapshot, SchedulingPlan plan) {
        return new Inspection(snapshot, plan).misreported();
    }
}
