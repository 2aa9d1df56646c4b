package io.muster.scheduling.exact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.ortools.Loader;
import io.muster.scheduling.build.Planned;
import io.muster.scheduling.plan.Decision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * How near the core comes to an exact solver on small instances, {@code -Dmuster.exact.seeds=N} of them. What is far from it is
 * kept in {@code target/exact}, a file per kind, so that it can be looked at and explained.
 */
class ExactSolverTest {
    private static final Path KEPT = Path.of("target", "exact");

    @BeforeAll
    static void solver() {
        try {
            Loader.loadNativeLibraries();
        } catch (RuntimeException | UnsatisfiedLinkError e) {
            assumeTrue(false, "OR-tools has no native library for this machine: " + e.getMessage());
        }
    }

    private static LongStream seeds() {
        return LongStream.range(0, Long.getLong("muster.exact.seeds", 500));
    }

    /**
     * The solver starts gangs in the same order: whoever is earlier in the queue is worth more than all behind it. What
     * is left of its lead: once a head has its start reserved nothing is moved any more, and starts move in one order only.
     */
    @Test
    void placesAlmostAsManyGpusAsTheExactSolverDoesInTheSameOrder() throws IOException {
        var losses = new ArrayList<Double>();
        var far = new ArrayList<String>();
        for (long seed : seeds().toArray()) {
            var instance = Instance.random(seed, 9);
            var exact = ExactPlacement.started(instance);
            var ours = started(instance.cluster().plan());
            int best = gpus(instance, exact);
            double loss = best == 0 ? 0 : (best - gpus(instance, ours)) / (double) best;
            losses.add(loss);
            if (loss > 0.05) {
                far.add("seed %d: %.0f%% fewer; exact starts %s, the core %s of %s"
                        .formatted(seed, 100 * loss, exact, ours, instance));
            }
        }
        keep("placement", far);
        assertThat(mean(losses))
                .as("GPUs lost on average, as a part of what is possible")
                .isLessThanOrEqualTo(0.01);
    }

    @Test
    void usesTheFewestRacksAndNodesForAGang() throws IOException {
        var far = new ArrayList<String>();
        int gangs = 0;
        for (long seed : seeds().toArray()) {
            var instance = Instance.random(seed, 1);
            if (ExactPlacement.started(instance).isEmpty()) {
                continue;
            }
            gangs++;
            int[] exact = ExactPlacement.fewestDomains(instance);
            // It prefers to lie close, so it does not fill gaps; but it is relaxed at once.
            var nodes = new TreeSet<>(instance.cluster(Duration.ZERO).plan().nodesOf(1));
            var racks = nodes.stream().map(n -> n.substring(0, 2)).collect(Collectors.toSet());
            // Over several racks an even split matters more than the fewest nodes.
            if (racks.size() > exact[0] || racks.size() == 1 && nodes.size() > exact[1]) {
                far.add("seed %d: exact %d racks and %d nodes, the core %s of %s"
                        .formatted(seed, exact[0], exact[1], nodes, instance));
            }
        }
        keep("domains", far);
        assertThat(gangs).isGreaterThan(100);
        assertThat(far).as("gangs on more domains than needed").isEmpty();
    }

    @Test
    void victimsCostLittleMoreThanTheCheapestSet() throws IOException {
        var excess = new ArrayList<Double>();
        var far = new ArrayList<String>();
        for (long seed : seeds().toArray()) {
            var victims = ExactVictims.random(seed);
            long cheapest = victims.cheapest();
            var planned = victims.cluster().plan();
            if (cheapest == 0) {
                assertThat(started(planned)).as("seed %d", seed).containsExactly(1L);
                continue;
            }
            long ours = cost(planned);
            assertThat(ours).as("seed %d: %s", seed, victims).isGreaterThanOrEqualTo(cheapest);
            double more = ours / (double) cheapest - 1;
            excess.add(more);
            if (more > 0.1) {
                far.add("seed %d: %.0f%% dearer; cheapest %d, the core %d by %s of %s"
                        .formatted(seed, 100 * more, cheapest, ours, planned.victims(), victims));
            }
        }
        keep("victims", far);
        assertThat(excess).hasSizeGreaterThan(100);
        assertThat(mean(excess)).as("cost above the cheapest set, on average").isLessThanOrEqualTo(0.1);
    }

    private static long cost(Planned planned) {
        return planned.all(Decision.RequestCheckpoint.class).stream()
                .mapToLong(Decision.RequestCheckpoint::gpuSecondsLost)
                .sum();
    }

    private static Set<Long> started(Planned planned) {
        return new TreeSet<>(planned.started());
    }

    private static int gpus(Instance instance, Set<Long> started) {
        return instance.gangs().stream()
                .filter(g -> started.contains(g.id()))
                .mapToInt(Instance.Gang::total)
                .sum();
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(d -> d).average().orElse(0);
    }

    private static void keep(String kind, List<String> far) throws IOException {
        Files.createDirectories(KEPT);
        Files.write(KEPT.resolve(kind + ".txt"), far);
        System.out.println("exact solver, " + kind + ": " + far.size() + " instances kept");
    }
}
