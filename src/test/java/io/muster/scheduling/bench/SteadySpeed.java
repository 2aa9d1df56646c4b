package io.muster.scheduling.bench;

import io.muster.scheduling.plan.SchedulingPlan;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** T2: the full fleet of T1, where some jobs end and as many come between two cycles; the cycle alone is measured. */
@Warmup(iterations = 2, time = 10)
@Measurement(iterations = 3, time = 10)
public class SteadySpeed extends CoreSpeed {
    @Param("50")
    int events;

    private Steady steady;
    private SchedulingPlan plan;

    @Setup(Level.Trial)
    public void build() {
        steady = new Steady(new Workload(nodes, teams), World.T1_FULL.of(nodes, waiting, teams), events);
    }

    @Benchmark
    public SchedulingPlan cycle() {
        plan = core.plan(steady.world());
        return plan;
    }

    @TearDown(Level.Invocation)
    public void goOn() {
        steady.goOn(plan.decisions());
    }
}
