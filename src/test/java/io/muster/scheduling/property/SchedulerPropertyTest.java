package io.muster.scheduling.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.snapshot.NodeView;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What must hold in every world: {@code -Dmuster.seeds=N} tries N of them, {@code -Dmuster.seed=S} one again. A failure
 * names its seed and the smallest scenario found that fails too.
 */
class SchedulerPropertyTest {
    /** Failing seeds with their failures, in order. */
    private static NavigableMap<Long, String> failures(LongStream seeds, LongFunction<@Nullable Throwable> trial) {
        var failed = new ConcurrentSkipListMap<Long, String>();
        seeds.parallel().forEach(seed -> {
            var failure = trial.apply(seed);
            if (failure != null) {
                failed.put(seed, String.valueOf(failure.getMessage()));
            }
        });
        return failed;
    }

    private static @Nullable Throwable failure(Runnable trial) {
        try {
            trial.run();
            return null;
        } catch (AssertionError | RuntimeException e) {
            return e;
        }
    }

    private static String brief(NavigableMap<Long, String> failures) {
        return failures.entrySet().stream()
                .limit(20)
                .map(e -> e.getKey() + ": "
                        + e.getValue().substring(0, Math.min(700, e.getValue().length())))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void invariantsHoldInEveryWorldAfterEveryStep() {
        var failures = failures(Seeds.of(1), seed -> {
            var scenario = new Worlds(seed).scenario();
            return failure(() -> Trial.live(scenario));
        });
        if (!failures.isEmpty()) {
            var small = new Worlds(failures.firstKey()).scenario().shrunk(s -> failure(() -> Trial.live(s)) != null);
            throw new AssertionError("seeds " + failures.keySet() + " fail:\n" + brief(failures) + "\nshrunk to "
                    + small + ",\nwhich fails with " + failure(() -> Trial.live(small)));
        }
    }

    @Test
    void guaranteesAreMetAtRestInCrowdedWorlds() {
        var owedBefore = new AtomicInteger();
        var failures = failures(
                Seeds.of(1).limit(1 + Seeds.count() / 4),
                seed -> failure(() -> {
                    var worlds = new Worlds(seed);
                    var world = worlds.crowded(2);
                    var trial = new Trial(world);
                    trial.cycle("filled");
                    world.pass(Duration.ofMinutes(1), new Random(seed));
                    world.pass(Duration.ofMinutes(15), new Random(seed));
                    worlds.othersSubmit(world, 2);
                    owedBefore.addAndGet(Guarantees.owed(world));
                    trial.calmDown();
                }));
        assertThat(failures).isEmpty();
        assertThat(Seeds.count() < 50 || owedBefore.get() > 0)
                .as("jobs were owed GPUs at all")
                .isTrue();
    }

    /** Where no packing is in the way: jobs of one GPU. */
    @Test
    void moreCapacityNeverMakesSatisfiedGuaranteesSmaller() {
        var failures = failures(
                Seeds.of(1).limit(1 + Seeds.count() / 4),
                seed -> failure(() -> {
                    var worlds = new Worlds(seed);
                    var world = worlds.crowded(1);
                    worlds.othersSubmit(world, 1);
                    int before = satisfied(world);
                    var random = new Random(seed);
                    for (int more = 0; more < 3; more++) {
                        world.nodes.add(extra(more, 1 + random.nextInt(8)));
                        int after = satisfied(world);
                        assertThat(after).isGreaterThanOrEqualTo(before);
                        before = after;
                    }
                }));
        assertThat(failures).isEmpty();
    }

    /** GPUs within guarantees as they were promised that teams hold after the plan. */
    private static int satisfied(SimWorld world) {
        return new Scheduler()
                .plan(world.snapshot()).shares().stream()
                        .mapToInt(r -> Math.min(r.allocated(), r.promised()))
                        .sum();
    }

    private static NodeView extra(int number, int gpus) {
        var name = "extra" + number;
        return new NodeView(
                new NodeId(name),
                new PoolId("pool0"),
                new GpuTypeId("H100"),
                81_920,
                new Resources(gpus, 64_000, 512L << 30),
                Resources.NONE,
                new DomainPath(List.of("b9", "r9", name)),
                true);
    }
}
