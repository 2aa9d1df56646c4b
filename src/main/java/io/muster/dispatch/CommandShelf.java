package io.muster.dispatch;

import io.muster.retention.DatedRows;
import java.time.Clock;
import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Commands to the cluster that are done. */
@Component
class CommandShelf extends DatedRows {
    CommandShelf(JdbcClient jdbc, Clock clock) {
        super(jdbc, clock, "commands", Duration.ofDays(7), """
                delete from cluster_command where id in (
                    select id from cluster_command where done_at < :before order by done_at limit :most)
                """);
    }
}
