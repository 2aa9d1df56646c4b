package io.muster.simulator.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.muster.forecast.Forecaster;
import io.muster.simulator.engine.Cast;
import io.muster.simulator.engine.Costs;
import io.muster.simulator.engine.Simulation;
import io.muster.simulator.engine.Workloads;
import io.muster.simulator.policy.ForecastingPlanner;
import io.muster.simulator.policy.ForecastingPlanner.Score;
import io.muster.simulator.trace.TraceFormat;
import io.muster.simulator.trace.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Whether forecasts are honest on a real trace: the figures of docs/performance.md, section Forecasts. */
class ForecastQualityTest {
    private static final Path PHILLY = Path.of("../shared/traces/philly/philly.csv");
    private static final int FROM = 50_000;
    private static final int JOBS = 1_000;
    private static final int NODES = 12;

    /** Each wait is judged by the first forecast that it was told; the first quarter of the scores is the warm-up. */
    @Test
    void halfOfAllStartsLieInsideP50AndNineOfTenInsideP90() throws IOException {
        assumeTrue(Files.exists(PHILLY), "the trace is not here: expected " + PHILLY.toAbsolutePath());
        var lines = Files.readAllLines(PHILLY);
        var all = TraceFormat.of(lines).read(lines);
        var workload = new Workload(all.format(), all.jobs().subList(FROM, FROM + JOBS), List.of());
        var bounds = new Forecaster.Bounds(1_000, 1_500, 10, 5, 1_500, Duration.ofDays(7));
        var planner = new ForecastingPlanner(bounds, Duration.ofHours(1));
        var site = Workloads.site(NODES, workload);
        new Simulation(new Cast(site, workload, false), planner, Costs.SHIPPED).run((ended, of) -> {});

        var scores = planner.scores();
        var judged = scores.subList(scores.size() / 4, scores.size());
        double p50 = share(judged, Score::insideP50);
        double p90 = share(judged, Score::insideP90);
        System.out.printf(
                "philly %d to %d on %d nodes: %d forecasts scored, inside p50 %.3f, inside p90 %.3f; uncorrected %.3f, %.3f%n",
                FROM,
                FROM + JOBS,
                NODES,
                judged.size(),
                p50,
                p90,
                share(judged, s -> Score.isInside(s.raw().p50(), s.start())),
                share(judged, s -> Score.isInside(s.raw().p90(), s.start())));
        assertThat(judged).hasSizeGreaterThan(100);
        assertThat(p50).isBetween(0.35, 0.65);
        assertThat(p90).isBetween(0.80, 0.97);
    }

    private static double share(List<Score> scores, Predicate<Score> is) {
        return scores.stream().filter(is).count() / (double) scores.size();
    }
}
