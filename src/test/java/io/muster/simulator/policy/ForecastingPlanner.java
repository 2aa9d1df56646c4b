package io.muster.simulator.policy;

import io.muster.forecast.Correction;
import io.muster.forecast.Forecaster;
import io.muster.forecast.Known;
import io.muster.forecast.LearnedRunTimes;
import io.muster.forecast.ScoredForecast;
import io.muster.forecast.StartForecast;
import io.muster.model.JobId;
import io.muster.model.TeamOrder;
import io.muster.scheduling.ordering.RunTimeHistory;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.simulator.engine.Planner;
import io.muster.simulator.engine.SimulatedJob;
import io.muster.simulator.engine.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The core, with forecasts made beside it as the server makes them: for whoever waits, learning from jobs that ended and
 * from how forecasts came out. Each wait is scored by the first forecast it was told.
 */
public final class ForecastingPlanner implements Planner {
    private static final int LEARNED_FROM = 300;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);

    private final CorePlanner core = new CorePlanner(PolicySettings.SHIPPED, TeamOrder.FIFO);
    private final Forecaster forecaster;
    private final Duration every;
    private final List<Ended> ended = new ArrayList<>();
    private final Map<JobId, Told> told = new HashMap<>();
    private final Map<JobId, JobFacts> seen = new TreeMap<>();
    private final List<Score> scores = new ArrayList<>();
    private @Nullable Instant began;
    private long next = Long.MIN_VALUE;

    private record Ended(List<String> kinds, Duration ran) {}

    private record Told(StartForecast raw, StartForecast corrected) {}

    /** A forecast and the start it was about. */
    public record Score(StartForecast raw, StartForecast told, Instant start) {
        public boolean insideP50() {
            return isInside(told.p50(), start);
        }

        public boolean insideP90() {
            return isInside(told.p90(), start);
        }

        /** What is not known holds nobody inside. */
        public static boolean isInside(@Nullable Instant said, Instant start) {
            return said != null && !start.isAfter(said);
        }
    }

    public ForecastingPlanner(Forecaster.Bounds bounds, Duration every) {
        forecaster = new Forecaster(bounds);
        this.every = every;
    }

    @Override
    public List<Decision> plan(World world) {
        var decisions = core.plan(world);
        var now = Instant.ofEpochMilli(world.now());
        for (var decision : decisions) {
            if (decision instanceof Decision.Start s) {
                var before = told.remove(s.job());
                if (before != null) scores.add(new Score(before.raw, before.corrected, now));
            }
        }
        if (world.now() >= next && world.waiting().stream().anyMatch(j -> isNew(j, decisions))) {
            next = world.now() + every.toMillis();
            forecast(world, now);
        }
        return decisions;
    }

    private boolean isNew(SimulatedJob job, List<Decision> decisions) {
        return !told.containsKey(job.id())
                && decisions.stream()
                        .noneMatch(d -> d instanceof Decision.Start s && s.job().equals(job.id()));
    }

    private void forecast(World world, Instant now) {
        var correction = correction(now);
        var runTimes = new LearnedRunTimes(history(world), PolicySettings.SHIPPED.defaultRunTime());
        var before = new HashMap<JobId, Duration>();
        world.active().forEach(j -> before.put(j.id(), ranBefore(j, world.now())));
        world.waiting().forEach(j -> before.put(j.id(), ranBefore(j, world.now())));
        var known = new Known(runTimes, id -> before.getOrDefault(id, Duration.ZERO), lately(world, now), lived(now));
        var made = forecaster.forecast(core.snapshot(world), known, 1, () -> true);
        for (var raw : made) {
            if (!told.containsKey(raw.job()) && raw.p50() != null) {
                told.put(raw.job(), new Told(raw, correction.apply(raw)));
            }
        }
    }

    private void see(SimulatedJob job) {
        seen.putIfAbsent(job.id(), job.facts());
    }

    private List<JobFacts> lately(World world, Instant now) {
        world.active().forEach(this::see);
        world.waiting().forEach(this::see);
        return seen.values().stream()
                .filter(f -> f.submittedAt().isAfter(now.minus(lived(now))))
                .toList();
    }

    /** A day, or as much of it as there has been, and an hour at least. */
    private Duration lived(Instant now) {
        if (began == null) began = now;
        var since = Duration.between(began, now);
        return since.compareTo(HOUR) < 0 ? HOUR : since.compareTo(DAY) > 0 ? DAY : since;
    }

    private static Duration ranBefore(SimulatedJob job, long now) {
        long since = job.runningSince();
        return Duration.ofMillis(job.done(now) - (since == SimulatedJob.NEVER ? 0 : now - since));
    }

    private Correction correction(Instant now) {
        var scored = new ArrayList<ScoredForecast>();
        for (var s : scores.subList(Math.max(0, scores.size() - LEARNED_FROM), scores.size())) {
            scored.add(new ScoredForecast(s.raw.madeAt(), s.raw.p50(), s.raw.p90(), s.start, true));
        }
        told.values()
                .forEach(t -> scored.add(new ScoredForecast(t.raw.madeAt(), t.raw.p50(), t.raw.p90(), now, false)));
        return Correction.of(scored);
    }

    @Override
    public long nextReview(World world) {
        return core.nextReview(world);
    }

    @Override
    public void ended(SimulatedJob job, World world) {
        see(job);
        ended.add(new Ended(LearnedRunTimes.kinds(job.facts()), Duration.ofMillis(job.done(world.now()))));
    }

    private RunTimeHistory history(World world) {
        var history = new RunTimeHistory();
        ended.forEach(e -> history.ended(e.kinds, e.ran));
        world.active()
                .forEach(j ->
                        history.stillRuns(LearnedRunTimes.kinds(j.facts()), Duration.ofMillis(j.done(world.now()))));
        return history;
    }

    /** In order of their starts. */
    public List<Score> scores() {
        return scores;
    }
}
