package io.muster.cycle;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.muster.calibration.Calibrations.Calibration;
import io.muster.forecast.Correction;

/** What operators see of forecasts: how honest they were over a week, how many there are, what they are corrected by. */
final class ForecastMeters {
    private final Counter rounds;
    private final Counter cutShort;
    private volatile int jobs;
    private volatile Calibration week = new Calibration(0, 0, 0, 0, 0);
    private volatile Correction correction = Correction.NONE;

    ForecastMeters(MeterRegistry meters) {
        rounds = meters.counter("muster.forecast.rounds");
        cutShort = meters.counter("muster.forecast.rounds.cut.short");
        meters.gauge("muster.forecast.jobs", this, m -> m.jobs);
        meters.gauge("muster.forecast.scored", this, m -> m.week.starts());
        meters.gauge("muster.forecast.inside", Tags.of("said", "p50"), this, m -> m.share(m.week.insideP50()));
        meters.gauge("muster.forecast.inside", Tags.of("said", "p90"), this, m -> m.share(m.week.insideP90()));
        meters.gauge("muster.forecast.error.seconds", this, m -> m.week.medianErrorSeconds());
        meters.gauge("muster.forecast.correction", Tags.of("said", "p50"), this, m -> m.correction.factor50());
        meters.gauge("muster.forecast.correction", Tags.of("said", "p90"), this, m -> m.correction.factor90());
    }

    /** Without any score there is no share. */
    private double share(int inside) {
        return week.starts() == 0 ? Double.NaN : inside / (double) week.starts();
    }

    void made(int forecasts) {
        rounds.increment();
        jobs = forecasts;
    }

    /** A round that ended before enough worlds had been looked at. */
    void cutShort() {
        cutShort.increment();
    }

    void calibrated(Calibration lately) {
        week = lately;
    }

    void corrected(Correction present) {
        correction = present;
    }
}
