package io.muster.cycle;

import io.muster.job.SqlInstant;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Removes what the loop wrote for the moment and nobody asks for any more. What jobs, people and money did stays; this is
 * the loop's own paper.
 */
@Component
class Prune {
    private static final int MOST_AT_ONCE = 10_000;
    /** What goes, and how long it stays. */
    private static final Map<String, Duration> KEPT = Map.of(
            """
            delete from cluster_command where id in (
                select id from cluster_command where done_at < :before order by id limit :most)
            """, Duration.ofDays(7), """
            delete from scheduling_cycle where id in (
                select id from scheduling_cycle where as_of < :before order by id limit :most)
            """, Duration.ofDays(90), """
            delete from share_history where ctid in (
                select ctid from share_history where at < :before limit :most)
            """, Duration.ofDays(400), """
            delete from idempotency_key where ctid in (
                select ctid from idempotency_key
                -- Keys go by real time, and the loop's clock may run ahead of it.
                where created_at < least(:before, now() - interval '7 days') limit :most)
            """, Duration.ofDays(7));

    /** A commit may explain a job that is cancelled in the same moment, before either sees the other. */
    private static final String EXPLAINED_IN_VAIN = """
            delete from explanation e using job j where j.id = e.job_id and j.state not in ('QUEUED', 'HELD')
            """;

    private final JdbcClient jdbc;

    Prune(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A little at a time: it is called often. */
    void prune(Instant now) {
        KEPT.forEach((sql, kept) -> jdbc.sql(sql)
                .param("before", SqlInstant.of(now.minus(kept)))
                .param("most", MOST_AT_ONCE)
                .update());
        jdbc.sql(EXPLAINED_IN_VAIN).update();
    }
}
