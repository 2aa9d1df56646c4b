package io.muster.scheduling.bench;

import io.muster.scheduling.Scheduler;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * T1, T4, T5 (and T3 with {@code -p nodes=20000} or {@code -p waiting=1000000}): one whole cycle over a world that does not
 * change. docs/performance.md says how to run it.
 */
@Warmup(iterations = 2, time = 4)
@Measurement(iterations = 3, time = 3)
public class CycleSpeed extends CoreSpeed {
    @Param
    World world;

    private ClusterSnapshot snapshot;

    @Setup(Level.Trial)
    public void build() {
        snapshot = world.of(nodes, waiting, teams);
    }

    /** A core that remembers what it read, as the server's does. */
    @Benchmark
    public SchedulingPlan warm() {
        return core.plan(snapshot);
    }

    /** A core that has planned nothing before. */
    @Benchmark
    public SchedulingPlan fresh() {
        return new Scheduler().plan(snapshot);
    }
}
