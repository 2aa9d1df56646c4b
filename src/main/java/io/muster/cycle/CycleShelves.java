package io.muster.cycle;

import io.muster.retention.DatedRows;
import java.time.Clock;
import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The loop's own paper: what each cycle saw and decided, and the shares by the minute. */
final class CycleShelves {
    private CycleShelves() {}

    @Component
    static final class Cycles extends DatedRows {
        Cycles(JdbcClient jdbc, Clock clock) {
            super(jdbc, clock, "cycles", Duration.ofDays(90), """
                    delete from scheduling_cycle where id in (
                        select id from scheduling_cycle where as_of < :before order by as_of limit :most)
                    """);
        }
    }

    @Component
    static final class Shares extends DatedRows {
        Shares(JdbcClient jdbc, Clock clock) {
            super(jdbc, clock, "share-history", Duration.ofDays(400), """
                    delete from share_history where ctid = any(array(
                        select ctid from share_history where at < :before order by at limit :most))
                    """);
        }
    }
}
