package io.muster.forecast;

import io.muster.model.Explanation;
import io.muster.model.JobId;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.WaitingJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Expected starts of the first jobs that wait.
 *
 * <p>Goal: when a job starts, with even chances and in nine of ten cases. Constraints: nobody knows run times, nor who is
 * yet to come; a forecast costs many plans, so it is bounded in jobs, in steps and by whoever asks. Algorithm: the core
 * itself is run ahead in several worlds that differ in how long jobs run and in who comes, and the starts are counted;
 * what that misses is left to {@link Correction}, which learns from how forecasts came out. The rule is Slurm's {@code --test-only} and
 * Maui's {@code showstart} with chance instead of walltimes; see also Smith, Taylor and Foster, 1999.
 */
public final class Forecaster {
    /** Names how a forecast is made; scores of another are not learned from. */
    public static final String MODEL = "ahead-1";

    /** Ids from here on are of jobs that do not exist. */
    private static final long NOBODY = Long.MAX_VALUE / 2;

    private final Bounds bounds;

    /**
     * How much is done.
     *
     * @param jobs most jobs that get a forecast, the first in order
     * @param crowd most waiting jobs that the run ahead knows of; those further back would seldom come before
     * @param samples worlds that are run ahead
     * @param enough with so many a forecast is made even when time is up
     * @param steps most plans in one world
     * @param horizon nothing beyond is forecast
     */
    public record Bounds(int jobs, int crowd, int samples, int enough, int steps, Duration horizon) {
        public static final Bounds SHIPPED = new Bounds(1_000, 1_500, 20, 5, 1_500, Duration.ofDays(7));
    }

    public Forecaster(Bounds bounds) {
        this.bounds = bounds;
    }

    /** One world's answer: who started when, and up to when it was looked; null: to the end of all that could happen. */
    private record Run(Map<JobId, Instant> starts, @Nullable Instant lookedTo) {}

    /**
     * Forecasts, in order of place.
     *
     * @param goOn false when time is up; what has been found by then is used
     * @return empty when time was up before enough worlds had been looked at
     */
    public List<StartForecast> forecast(ClusterSnapshot snapshot, Known known, long seed, BooleanSupplier goOn) {
        if (snapshot.waiting().isEmpty()) {
            return List.of();
        }
        var order = order(snapshot);
        return forecast(snapshot, order, order.subList(0, Math.min(bounds.jobs, order.size())), known, seed, goOn);
    }

    /** Of one job that waits; empty when it starts at once, or when time was up. */
    public Optional<StartForecast> forecastOf(
            JobId job, ClusterSnapshot snapshot, Known known, long seed, BooleanSupplier goOn) {
        var order = order(snapshot);
        int place = order.indexOf(job);
        return place < 0 || place >= bounds.crowd
                ? Optional.empty()
                : forecast(snapshot, order, List.of(job), known, seed, goOn).stream()
                        .findFirst();
    }

    private List<StartForecast> forecast(
            ClusterSnapshot snapshot,
            List<JobId> order,
            List<JobId> wanted,
            Known known,
            long seed,
            BooleanSupplier goOn) {
        var world = snapshot.withWaiting(crowd(snapshot, order));
        var runs = new ArrayList<Run>();
        for (int i = 0; i < bounds.samples && goOn.getAsBoolean(); i++) {
            var sample = new Sample(known, seed + i * 0x5851F42D4C957F2DL);
            var arrivals = new Arrivals(known, snapshot.asOf(), sample.shift(), bounds.crowd, NOBODY);
            var run = run(new Ahead(world, sample, arrivals), Set.copyOf(wanted), goOn);
            if (run != null) {
                runs.add(run);
            }
        }
        return runs.size() < Math.min(bounds.enough, bounds.samples)
                ? List.of()
                : wanted.stream().map(job -> read(job, snapshot.asOf(), runs)).toList();
    }

    /** By place, whatever the pool; then those whose turn has not come (backoff). */
    private static List<JobId> order(ClusterSnapshot snapshot) {
        return new Scheduler()
                .plan(snapshot).explanations().stream()
                        .sorted(Comparator.comparingInt(
                                        (Explanation e) -> e.place() == 0 ? Integer.MAX_VALUE : e.place())
                                .thenComparing(Explanation::job))
                        .map(Explanation::job)
                        .toList();
    }

    /** Those in order, as far as they count, and those that start at once. */
    private List<WaitingJob> crowd(ClusterSnapshot snapshot, List<JobId> order) {
        var behind = new HashSet<>(order.subList(Math.min(bounds.crowd, order.size()), order.size()));
        return snapshot.waiting().stream().filter(j -> !behind.contains(j.id())).toList();
    }

    /** Null: time was up, and too little had been seen. */
    private @Nullable Run run(Ahead ahead, Set<JobId> wanted, BooleanSupplier goOn) {
        var end = ahead.now().plus(bounds.horizon);
        for (int steps = 0; steps < bounds.steps; steps++) {
            if (!goOn.getAsBoolean()) {
                return null;
            }
            boolean more = ahead.step();
            if (!more || ahead.starts().keySet().containsAll(wanted)) {
                return new Run(ahead.starts(), null);
            }
            if (!ahead.now().isBefore(end)) {
                break;
            }
        }
        return new Run(ahead.starts(), ahead.now());
    }

    private static StartForecast read(JobId job, Instant madeAt, List<Run> runs) {
        var starts = new ArrayList<Instant>();
        Instant lookedTo = null;
        for (var run : runs) {
            var start = run.starts.get(job);
            if (start != null) {
                starts.add(start);
            } else if (run.lookedTo != null && (lookedTo == null || run.lookedTo.isBefore(lookedTo))) {
                lookedTo = run.lookedTo;
            }
        }
        starts.sort(Comparator.naturalOrder());
        var p50 = rank(starts, runs.size(), 0.5);
        var p90 = rank(starts, runs.size(), 0.9);
        return new StartForecast(job, madeAt, p50, p90, p90 == null ? lookedTo : null);
    }

    /** The start by which a share of all worlds has let the job in. */
    private static @Nullable Instant rank(List<Instant> starts, int of, double share) {
        int n = (int) Math.ceil(share * of) - 1;
        return n < starts.size() ? starts.get(n) : null;
    }

    /** Forecasts by job. */
    public static Map<JobId, StartForecast> byJob(List<StartForecast> forecasts) {
        var byJob = new HashMap<JobId, StartForecast>();
        forecasts.forEach(f -> byJob.put(f.job(), f));
        return byJob;
    }
}
