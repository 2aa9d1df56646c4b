package io.muster.cycle;

import io.muster.forecast.Correction;
import io.muster.forecast.Forecaster;
import io.muster.forecast.Forecaster.Bounds;
import io.muster.forecast.Known;
import io.muster.forecast.StartForecast;
import io.muster.job.Feasibility;
import io.muster.model.Explanation;
import io.muster.model.Explanation.StartBy;
import io.muster.model.JobId;
import io.muster.model.Reason;
import io.muster.scheduling.plan.Explained;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Where the loop and the making of forecasts meet: the loop leaves the world as it saw it last and takes the forecasts
 * that are there; neither waits for the other.
 */
@Component
class Forecasts {
    private final AtomicReference<@Nullable ClusterSnapshot> offered = new AtomicReference<>();
    private static final Bounds OF_ONE = new Bounds(1, 500, 8, 5, 1_500, Bounds.SHIPPED.horizon());
    private static final long SEED = 1;

    private final Forecaster ofOne = new Forecaster(OF_ONE);
    private volatile Map<JobId, StartForecast> newest = Map.of();
    private volatile @Nullable Basis basis;

    /** What the newest forecasts were made with. */
    record Basis(Known known, Correction correction) {}

    /** The loop offers what it saw. */
    void offer(ClusterSnapshot snapshot) {
        offered.set(snapshot);
    }

    /** What was offered last, once; null: nothing new. */
    @Nullable ClusterSnapshot take() {
        return offered.getAndSet(null);
    }

    void publish(Map<JobId, StartForecast> told, Basis madeWith) {
        newest = Map.copyOf(told);
        basis = madeWith;
    }

    /**
     * When a job that is not there yet would be likely to start; empty when this server makes no forecasts, or when it
     * could not be found out in time, or lies beyond what anybody looked at.
     *
     * @param snapshot with the job among those that wait
     */
    Optional<Feasibility.Start> of(JobId job, ClusterSnapshot snapshot, BooleanSupplier goOn) {
        var with = basis;
        return with == null
                ? Optional.empty()
                : ofOne.forecastOf(job, snapshot, with.known, SEED, goOn)
                        .map(with.correction::apply)
                        .map(told -> Feasibility.Start.of(told.p50(), told.p90(), StartBy.FORECAST));
    }

    void forget() {
        offered.set(null);
        newest = Map.of();
        basis = null;
    }

    /** Explanations with the forecast instead of the rough estimate, where there is one. */
    Explained tell(Explained explained) {
        var known = newest;
        return known.isEmpty() ? explained : new Told(explained, known);
    }

    private record Told(Explained explained, Map<JobId, StartForecast> known) implements Explained {
        @Override
        public Optional<Explanation> of(JobId job) {
            return explained.of(job).map(e -> tell(e, known.get(job)));
        }

        @Override
        public List<Explanation> all() {
            return explained.all().stream()
                    .map(e -> tell(e, known.get(e.job())))
                    .toList();
        }
    }

    /**
     * A start is never said to lie in the past: who was to have started by now may start at any moment. Of a pause that
     * began after the forecast nobody knows when it ends.
     */
    static Explanation tell(Explanation e, @Nullable StartForecast forecast) {
        return forecast == null || e.reasons().getFirst() instanceof Reason.Paused
                ? e
                : e.expecting(
                        notBefore(forecast.p50(), e.asOf()), notBefore(forecast.p90(), e.asOf()), forecast.laterThan());
    }

    private static @Nullable Instant notBefore(@Nullable Instant at, Instant asOf) {
        return at != null && at.isBefore(asOf) ? asOf : at;
    }
}
