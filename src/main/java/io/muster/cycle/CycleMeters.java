package io.muster.cycle;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.muster.model.JobState;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/** What operators see of the loop. */
@Component
class CycleMeters {
    private final MeterRegistry meters;
    private final Map<JobState, AtomicLong> jobs = new EnumMap<>(JobState.class);
    private final AtomicLong hung = new AtomicLong();
    private final Counter suspected;
    private final Counter restarted;
    private final AtomicLong unplannable = new AtomicLong();
    /** Real time; the age of the last cycle is what alarms go by. */
    private final AtomicLong lastNanos = new AtomicLong(System.nanoTime());

    CycleMeters(MeterRegistry meters) {
        this.meters = meters;
        for (JobState state : JobState.values()) {
            if (!state.isTerminal()) {
                jobs.put(state, meters.gauge("muster.jobs", Tags.of("state", state.name()), new AtomicLong()));
            }
        }
        // Known from the start: an alarm on their growth would miss the first.
        suspected = meters.counter("muster.jobs.hang.suspected");
        restarted = meters.counter("muster.jobs.hang.restarted");
        meters.gauge("muster.jobs.hung", hung);
        meters.gauge("muster.jobs.unplannable", unplannable);
        meters.gauge("muster.cycle.age.seconds", lastNanos, at -> age().toMillis() / 1000.0);
    }

    /** Time since a cycle last went through on this server, whether it led or found that another does. */
    Duration age() {
        return Duration.ofNanos(System.nanoTime() - lastNanos.get());
    }

    void done() {
        lastNanos.set(System.nanoTime());
    }

    /** A phase's result and how long it took. */
    record Timed<T>(T value, long micros) {}

    <T> Timed<T> time(String stage, Supplier<T> phase) {
        long before = System.nanoTime();
        try {
            return new Timed<>(phase.get(), (System.nanoTime() - before) / 1000);
        } finally {
            Timer.builder("muster.cycle.stage")
                    .tag("stage", stage)
                    .publishPercentileHistogram()
                    .register(meters)
                    .record(System.nanoTime() - before, TimeUnit.NANOSECONDS);
        }
    }

    void failed() {
        meters.counter("muster.cycle.failures").increment();
    }

    void breach(String rule) {
        meters.counter("muster.cycle.breaches", "rule", rule).increment();
    }

    void hangSuspected() {
        suspected.increment();
    }

    void hangRestarted() {
        restarted.increment();
    }

    /** How many running jobs are taken to hang. */
    void hung(int count) {
        hung.set(count);
    }

    /** How many jobs cannot be planned now. */
    void unplannable(int n) {
        unplannable.set(n);
    }

    void setAside() {
        meters.counter("muster.cycle.set.aside").increment();
    }

    void decided(String kind) {
        meters.counter("muster.cycle.decisions", "kind", kind).increment();
    }

    void dropped() {
        meters.counter("muster.cycle.decisions.dropped").increment();
    }

    void count(World world) {
        jobs.values().forEach(n -> n.set(0));
        world.jobs().forEach(job -> {
            AtomicLong n = jobs.get(job.life().state());
            if (n != null) {
                n.incrementAndGet();
            }
        });
    }
}
