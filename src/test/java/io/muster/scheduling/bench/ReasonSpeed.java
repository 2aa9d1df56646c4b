package io.muster.scheduling.bench;

import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/** T8: what the reasons of a plan cost whoever reads them; the plan itself is not measured here. */
@Warmup(iterations = 2, time = 5)
@Measurement(iterations = 3, time = 5)
public class ReasonSpeed extends CoreSpeed {
    /** Prime to all usual numbers of jobs, so that each in turn is asked for. */
    private static final int STEP = 997;

    private ClusterSnapshot snapshot;
    private SchedulingPlan plan;
    private int asked;

    @Setup(Level.Trial)
    public void build() {
        snapshot = World.T1_FULL.of(nodes, waiting, teams);
    }

    /** Each plan's reasons are made once. */
    @Setup(Level.Invocation)
    public void planAnew() {
        plan = core.plan(snapshot);
        asked = (asked + STEP) % snapshot.waiting().size();
    }

    @Benchmark
    public Object first() {
        return plan.explained().of(snapshot.waiting().get(asked).id());
    }

    @Benchmark
    public Object all() {
        return plan.explanations();
    }
}
