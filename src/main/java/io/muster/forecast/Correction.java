package io.muster.forecast;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What forecasts are multiplied by, learned from how earlier ones came out.
 *
 * <p>Goal: half of all starts lie inside p50 and nine of ten inside p90, whatever the run ahead cannot know (who is yet to
 * come, how people change their minds). Constraints: few scores must not throw it, and it stays within bounds, so that a
 * strange week makes forecasts wide and not absurd. Algorithm: the quantile of the ratios of what was to what had been
 * said (split conformal prediction: Vovk, Gammerman, Shafer 2005), drawn towards 1 while scores are few. Waits that go on
 * beyond what was said count as they stand: without them only the quick would be learned from.
 */
public record Correction(double factor50, double factor90) {
    /** Nothing has been learned. */
    public static final Correction NONE = new Correction(1, 1);

    /** The least and the most that a forecast is multiplied by. */
    public static final double LEAST = 0.25;

    public static final double MOST = 8;

    /** So many scores count as much as the belief that forecasts are right: waits of one day are much alike. */
    private static final double TRUST = 30;

    /** Learns from {@code scored}, in any order. */
    public static Correction of(List<ScoredForecast> scored) {
        var ratios50 = new ArrayList<Double>();
        var ratios90 = new ArrayList<Double>();
        for (var s : scored) {
            add(s, s.rawP50(), ratios50);
            add(s, s.rawP90(), ratios90);
        }
        return new Correction(factor(ratios50, 0.5), factor(ratios90, 0.9));
    }

    /** A wait that has not yet outlasted what was said says nothing. */
    private static void add(ScoredForecast s, @Nullable Instant said, List<Double> ratios) {
        if (said != null && (s.started() || s.at().isAfter(said))) {
            ratios.add(ScoredForecast.ratio(s.madeAt(), said, s.at()));
        }
    }

    private static double factor(List<Double> ratios, double share) {
        if (ratios.isEmpty()) {
            return 1;
        }
        Collections.sort(ratios);
        int rank = Math.min(ratios.size(), (int) Math.ceil(share * (ratios.size() + 1)));
        double found = Math.clamp(ratios.get(rank - 1), LEAST, MOST);
        double weight = ratios.size() / (ratios.size() + TRUST);
        return Math.exp(weight * Math.log(found));
    }

    /** The forecast as it is told. */
    public StartForecast apply(StartForecast raw) {
        var p50 = stretch(raw.madeAt(), raw.p50(), factor50);
        var p90 = stretch(raw.madeAt(), raw.p90(), factor90);
        if (p50 != null && p90 != null && p90.isBefore(p50)) {
            p90 = p50;
        }
        return new StartForecast(raw.job(), raw.madeAt(), p50, p90, raw.laterThan());
    }

    private static @Nullable Instant stretch(Instant from, @Nullable Instant said, double factor) {
        return said == null
                ? null
                : from.plusMillis(Math.round(Duration.between(from, said).toMillis() * factor));
    }
}
