package io.muster.cycle;

import io.muster.scheduling.Scheduler;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.verify.Breach;
import io.muster.scheduling.verify.PlanVerifier;
import java.util.List;
import org.springframework.stereotype.Component;

/** The scheduling core, as the loop uses it. */
@Component
class Core implements Planner {
    private final Scheduler scheduler = new Scheduler();

    @Override
    public SchedulingPlan plan(ClusterSnapshot snapshot) {
        return scheduler.plan(snapshot);
    }

    @Override
    public List<Breach> verify(ClusterSnapshot snapshot, SchedulingPlan plan) {
        return PlanVerifier.verify(snapshot, plan);
    }
}
