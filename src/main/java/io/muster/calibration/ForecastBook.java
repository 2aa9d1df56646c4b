package io.muster.calibration;

import io.muster.database.SqlInstant;
import io.muster.forecast.Forecaster;
import io.muster.forecast.StartForecast;
import io.muster.model.JobId;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Keeps what was told of expected starts. */
@Component
public class ForecastBook {
    private static final String WRITE = """
            insert into start_forecast (job_id, made_at, model, raw_p50, raw_p90, p50, p90, later_than)
            select j.id, :at, :model, n.raw50, n.raw90, n.p50, n.p90, n.later
            from unnest(:jobs::bigint[], :raw50::timestamptz[], :raw90::timestamptz[], :p50::timestamptz[],
                :p90::timestamptz[], :later::timestamptz[]) as n (job, raw50, raw90, p50, p90, later)
            join job j on j.id = n.job and j.state in ('QUEUED', 'HELD')
            on conflict do nothing
            """;

    private final JdbcClient jdbc;

    ForecastBook(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A forecast as it is told.
     *
     * @param raw what the run ahead said
     * @param told the same, corrected
     */
    public record Told(StartForecast raw, StartForecast told) {}

    /** Writes forecasts that were made at {@code at}; those of jobs that do not wait any more are left out. */
    public void write(Instant at, List<Told> all) {
        if (!all.isEmpty()) {
            jdbc.sql(WRITE)
                    .param("at", SqlInstant.of(at))
                    .param("model", Forecaster.MODEL)
                    .param("jobs", all.stream().map(t -> t.raw().job().value()).toArray(Long[]::new))
                    .param("raw50", instants(all, t -> t.raw().p50()))
                    .param("raw90", instants(all, t -> t.raw().p90()))
                    .param("p50", instants(all, t -> t.told().p50()))
                    .param("p90", instants(all, t -> t.told().p90()))
                    .param("later", instants(all, t -> t.told().laterThan()))
                    .update();
        }
    }

    private static String[] instants(List<Told> all, Function<Told, @Nullable Instant> of) {
        var texts = new String[all.size()];
        for (int i = 0; i < texts.length; i++) {
            OffsetDateTime at = SqlInstant.ofNullable(of.apply(all.get(i)));
            texts[i] = at == null ? null : at.toString();
        }
        return texts;
    }

    /** The newest forecast of a job's present wait; empty when there is none yet. */
    public Optional<StartForecast> newest(JobId job, Instant waitingSince) {
        return jdbc.sql("""
                        select made_at, p50, p90, later_than from start_forecast
                        where job_id = :job and made_at >= :since order by made_at desc limit 1
                        """)
                .param("job", job.value())
                .param("since", SqlInstant.of(waitingSince))
                .query((row, n) -> new StartForecast(
                        job,
                        SqlInstant.read(row, "made_at"),
                        SqlInstant.readNullable(row, "p50"),
                        SqlInstant.readNullable(row, "p90"),
                        SqlInstant.readNullable(row, "later_than")))
                .optional();
    }
}
