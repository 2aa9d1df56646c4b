package io.muster.cycle;

import io.micrometer.core.instrument.MeterRegistry;
import io.muster.calibration.Calibrations;
import io.muster.calibration.ForecastBook;
import io.muster.calibration.ForecastBook.Told;
import io.muster.calibration.ForecastScores;
import io.muster.calibration.PastRuns;
import io.muster.forecast.Correction;
import io.muster.forecast.Forecaster;
import io.muster.forecast.Forecaster.Bounds;
import io.muster.forecast.Known;
import io.muster.forecast.LearnedRunTimes;
import io.muster.forecast.StartForecast;
import io.muster.model.JobId;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * One round of forecasts: score what has started, learn from it, run the world ahead, correct, and tell. Only what says
 * something new is written.
 */
@Component
class Forecasting {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration SAME_MINUTE = Duration.ofMinutes(1);
    /** Submissions that are remembered; of more, the newest. */
    private static final int MOST_ARRIVALS = 3_000;
    /** The same in every round, so that forecasts differ by what has become known only. */
    private static final long SEED = 20_260_301;

    private final Forecasts forecasts;
    private final ForecastBook book;
    private final ForecastScores scores;
    private final Calibrations calibrations;
    private final PastRuns past;
    private final ForecastMeters meters;
    private final Forecaster forecaster;
    private final Map<JobId, JobFacts> arrivals = new HashMap<>();
    private final Map<JobId, Told> written = new HashMap<>();
    private @Nullable Instant firstSeen;
    private Instant scoredTo = Instant.EPOCH;

    Forecasting(
            Forecasts forecasts,
            ForecastBook book,
            ForecastScores scores,
            Calibrations calibrations,
            PastRuns past,
            ForecastSettings settings,
            MeterRegistry registry) {
        this.forecasts = forecasts;
        this.book = book;
        this.scores = scores;
        this.calibrations = calibrations;
        this.past = past;
        meters = new ForecastMeters(registry);
        var b = Bounds.SHIPPED;
        forecaster =
                new Forecaster(new Bounds(b.jobs(), b.crowd(), settings.samples(), b.enough(), b.steps(), b.horizon()));
    }

    /** Nothing that is remembered of the rounds before holds any more: another server led meanwhile. */
    void forget() {
        arrivals.clear();
        written.clear();
        firstSeen = null;
        scoredTo = Instant.EPOCH;
        forecasts.forget();
    }

    /** @return false when there was nothing to look at, or time was up too soon */
    boolean round(BooleanSupplier goOn) {
        var snapshot = forecasts.take();
        if (snapshot == null) {
            return false;
        }
        var now = snapshot.asOf();
        score(now);
        see(snapshot);
        var correction = Correction.of(scores.recent(now));
        meters.corrected(correction);
        var known = known(snapshot);
        var made = forecaster.forecast(snapshot, known, SEED, goOn);
        if (made.isEmpty() && !snapshot.waiting().isEmpty()) {
            meters.cutShort();
            return false;
        }
        forecasts.publish(tell(now, made, correction), new Forecasts.Basis(known, correction));
        meters.made(made.size());
        return true;
    }

    private void score(Instant now) {
        scores.score(scoredTo.equals(Instant.EPOCH) ? now.minus(DAY) : scoredTo);
        scoredTo = now;
        meters.calibrated(calibrations.total(now.minus(WEEK), now.plus(DAY), null, null));
    }

    /** Jobs are remembered as they are first seen; those that come and go between two rounds are missed. */
    private void see(ClusterSnapshot snapshot) {
        var now = snapshot.asOf();
        firstSeen = firstSeen == null ? now : firstSeen;
        snapshot.waiting().forEach(j -> arrivals.put(j.id(), j.facts()));
        snapshot.running().forEach(j -> arrivals.put(j.id(), j.facts()));
        arrivals.values().removeIf(f -> f.submittedAt().isBefore(now.minus(DAY)));
        if (arrivals.size() > MOST_ARRIVALS) {
            arrivals.keySet().stream()
                    .sorted()
                    .limit(arrivals.size() - MOST_ARRIVALS)
                    .toList()
                    .forEach(arrivals::remove);
        }
    }

    private Known known(ClusterSnapshot snapshot) {
        var ranBefore = past.ranBefore();
        var history = past.history(snapshot.asOf(), snapshot.running(), ranBefore);
        var runTimes = new LearnedRunTimes(history, snapshot.settings().defaultRunTime());
        var window = window(snapshot.asOf());
        return new Known(
                runTimes,
                job -> ranBefore.getOrDefault(job, Duration.ZERO),
                arrivals.values().stream()
                        .filter(f -> f.submittedAt().isAfter(snapshot.asOf().minus(window)))
                        .toList(),
                window);
    }

    /** As long as this server has watched, a day at most; of what was there before only the rest is known. */
    private Duration window(Instant now) {
        var watched = firstSeen == null ? Duration.ZERO : Duration.between(firstSeen, now);
        return watched.compareTo(HOUR) < 0 ? HOUR : watched.compareTo(DAY) > 0 ? DAY : watched;
    }

    private Map<JobId, StartForecast> tell(Instant now, List<StartForecast> made, Correction correction) {
        var news = new ArrayList<Told>();
        var told = new HashMap<JobId, StartForecast>();
        for (var raw : made) {
            var one = new Told(raw, correction.apply(raw));
            told.put(raw.job(), one.told());
            var before = written.get(raw.job());
            if (before == null || !saysTheSame(before.told(), one.told())) {
                news.add(one);
                written.put(raw.job(), one);
            }
        }
        book.write(now, news);
        written.keySet().retainAll(told.keySet());
        return told;
    }

    private static boolean saysTheSame(StartForecast a, StartForecast b) {
        return near(a.p50(), b.p50(), b.madeAt())
                && near(a.p90(), b.p90(), b.madeAt())
                && (a.laterThan() == null) == (b.laterThan() == null);
    }

    /** What moved by less than a tenth of what is left, or a minute, is the same to people. */
    private static boolean near(@Nullable Instant a, @Nullable Instant b, Instant now) {
        if (a == null || b == null) {
            return a == b;
        }
        Duration tenth = Duration.between(now, b).abs().dividedBy(10);
        Duration most = tenth.compareTo(SAME_MINUTE) > 0 ? tenth : SAME_MINUTE;
        return Duration.between(a, b).abs().compareTo(most) <= 0;
    }
}
