package io.muster.cycle;

import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.verify.Breach;
import java.util.List;

/** Decides, and checks what was decided. */
interface Planner {
    SchedulingPlan plan(ClusterSnapshot snapshot);

    List<Breach> verify(ClusterSnapshot snapshot, SchedulingPlan plan);
}
