package io.muster.cycle;

import io.muster.database.SqlInstant;
import java.time.Clock;
import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Removes what was said of jobs that wait no more, and what no limit counts any more; all else is on a shelf of its own. */
@Component
class Prune {
    /** A commit may explain a job that is cancelled in the same moment, before either sees the other. */
    private static final String EXPLAINED_IN_VAIN = """
            delete from explanation e using job j where j.id = e.job_id and j.state not in ('QUEUED', 'HELD')
            """;

    /** The longest window that a policy may have is a week. */
    private static final Duration RECLAIMS = Duration.ofDays(8);

    private final JdbcClient jdbc;
    private final Clock clock;

    Prune(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    void prune() {
        jdbc.sql(EXPLAINED_IN_VAIN).update();
        jdbc.sql("delete from reclaim where at < :before")
                .param("before", SqlInstant.of(clock.instant().minus(RECLAIMS)))
                .update();
    }
}
