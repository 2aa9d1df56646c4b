package io.muster.virtual;

import io.muster.retention.DatedRows;
import java.time.Clock;
import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Virtual attempts of which nothing exists any more, with their pods and signals. */
@Component
class AttemptShelf extends DatedRows {
    /** An attempt brings all its pods with it. */
    private static final int PODS_EACH = 10;

    AttemptShelf(JdbcClient jdbc, Clock clock) {
        super(jdbc, clock, "virtual-attempts", Duration.ofDays(30), """
                delete from virtual_attempt where (job_id, attempt) in (
                    select job_id, attempt from virtual_attempt where gone and created_at < :before
                    order by created_at limit :most)
                """);
    }

    @Override
    protected int rows(int most) {
        return most / PODS_EACH;
    }
}
