package io.muster.virtual;

import io.muster.retention.Shelf;
import java.time.Clock;
import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Virtual attempts of which nothing exists any more, with their pods and signals. */
@Component
class AttemptShelf implements Shelf {
    /** An attempt brings all its pods with it. */
    private static final int PODS_EACH = 10;

    private final JdbcClient jdbc;
    private final Clock clock;

    AttemptShelf(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "virtual-attempts";
    }

    @Override
    public Duration shipped() {
        return Duration.ofDays(30);
    }

    @Override
    public Removed remove(Duration kept, int most) {
        int attempts = most / PODS_EACH;
        int rows = jdbc.sql("""
                        delete from virtual_attempt where (job_id, attempt) in (
                            select job_id, attempt from virtual_attempt where gone and created_at < :before
                            order by created_at limit :most)
                        """)
                .param("before", SqlTime.of(clock.instant().minus(kept)))
                .param("most", attempts)
                .update();
        return Removed.of(rows, attempts);
    }
}
