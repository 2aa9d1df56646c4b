package io.muster.dispatch;

import io.muster.job.SqlInstant;
import io.muster.retention.Shelf;
import java.time.Clock;
import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Commands to the cluster that are done. */
@Component
class CommandShelf implements Shelf {
    private final JdbcClient jdbc;
    private final Clock clock;

    CommandShelf(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "commands";
    }

    @Override
    public Duration shipped() {
        return Duration.ofDays(7);
    }

    @Override
    public Removed remove(Duration kept, int most) {
        int rows = jdbc.sql("""
                        delete from cluster_command where id in (
                            select id from cluster_command where done_at < :before order by done_at limit :most)
                        """)
                .param("before", SqlInstant.of(clock.instant().minus(kept)))
                .param("most", most)
                .update();
        return Removed.of(rows, most);
    }
}
