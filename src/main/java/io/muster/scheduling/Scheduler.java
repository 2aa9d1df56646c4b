package io.muster.scheduling;

import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ClusterSnapshot;

/** The core: decides which jobs run where and when. Pure: equal snapshots give equal plans, byte for byte. */
public final class Scheduler {

    /** Plans one cycle. */
    public SchedulingPlan plan(ClusterSnapshot snapshot) {
        throw new UnsupportedOperationException("lands next: " + snapshot.asOf());
    }
}
