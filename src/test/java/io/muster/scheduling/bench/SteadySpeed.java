package io.muster.scheduling.bench;

import io.muster.scheduling.Scheduler;
import io.muster.scheduling.plan.SchedulingPlan;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** T2: the full fleet of T1, where some jobs end and as many come between two cycles; the cycle alone is measured. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xmx3g", "-XX:+UseSerialGC"})
@Warmup(iterations = 2, time = 10)
@Measurement(iterations = 3, time = 10)
public class SteadySpeed {
    @Param("5000")
    int nodes;

    @Param("100000")
    int waiting;

    @Param("200")
    int teams;

    @Param("50")
    int events;

    private final Scheduler core = new Scheduler();
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
