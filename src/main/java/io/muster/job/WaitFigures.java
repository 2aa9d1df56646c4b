package io.muster.job;

import io.muster.database.SqlInstant;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** How long jobs waited for their first start, and how many run. */
@Component
public class WaitFigures {
    private final JdbcClient jdbc;

    WaitFigures(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Of the jobs that first started in a time. */
    public record Waits(Duration median, Duration p95) {}

    /** Empty when nothing started since. */
    public Optional<Waits> since(Instant since) {
        return jdbc.sql("""
                select percentile_disc(0.5) within group (order by waited) as median,
                    percentile_disc(0.95) within group (order by waited) as p95
                from (
                    select extract(epoch from first_started_at - submitted_at)::bigint as waited
                    from job where first_started_at >= :since
                ) w having count(*) > 0""")
                .param("since", SqlInstant.of(since))
                .query((row, n) ->
                        new Waits(Duration.ofSeconds(row.getLong("median")), Duration.ofSeconds(row.getLong("p95"))))
                .optional();
    }

    /** Jobs that hold GPUs. */
    public int running() {
        return jdbc.sql("select count(*) from job"
                        + " where state in ('STARTING', 'RUNNING', 'CHECKPOINTING', 'STOPPING')")
                .query(Integer.class)
                .single();
    }
}
