package io.muster.cycle;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Removes what was said of jobs that wait no more; all else that grows is on a shelf of its own. */
@Component
class Prune {
    /** A commit may explain a job that is cancelled in the same moment, before either sees the other. */
    private static final String EXPLAINED_IN_VAIN = """
            delete from explanation e using job j where j.id = e.job_id and j.state not in ('QUEUED', 'HELD')
            """;

    private final JdbcClient jdbc;

    Prune(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void prune() {
        jdbc.sql(EXPLAINED_IN_VAIN).update();
    }
}
