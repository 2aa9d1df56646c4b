package io.muster.scheduling.bench;

import io.muster.scheduling.Scheduler;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What all measurements of the core have in common: its world's size, the JVM, and a core that remembers what it read. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xmx3g", "-XX:+UseSerialGC"})
public abstract class CoreSpeed {
    @Param("5000")
    int nodes;

    @Param("100000")
    int waiting;

    @Param("200")
    int teams;

    final Scheduler core = new Scheduler();
}
