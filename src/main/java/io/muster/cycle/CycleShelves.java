package io.muster.cycle;

import io.muster.job.SqlInstant;
import io.muster.retention.Shelf;
import java.time.Clock;
import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The loop's own paper: what each cycle saw and decided, and the shares by the minute. */
final class CycleShelves {
    private CycleShelves() {}

    @Component
    static final class Cycles implements Shelf {
        private final JdbcClient jdbc;
        private final Clock clock;

        Cycles(JdbcClient jdbc, Clock clock) {
            this.jdbc = jdbc;
            this.clock = clock;
        }

        @Override
        public String name() {
            return "cycles";
        }

        @Override
        public Duration shipped() {
            return Duration.ofDays(90);
        }

        @Override
        public Removed remove(Duration kept, int most) {
            int rows = jdbc.sql("""
                            delete from scheduling_cycle where id in (
                                select id from scheduling_cycle where as_of < :before order by as_of limit :most)
                            """)
                    .param("before", SqlInstant.of(clock.instant().minus(kept)))
                    .param("most", most)
                    .update();
            return Removed.of(rows, most);
        }
    }

    @Component
    static final class Shares implements Shelf {
        private final JdbcClient jdbc;
        private final Clock clock;

        Shares(JdbcClient jdbc, Clock clock) {
            this.jdbc = jdbc;
            this.clock = clock;
        }

        @Override
        public String name() {
            return "share-history";
        }

        @Override
        public Duration shipped() {
            return Duration.ofDays(400);
        }

        @Override
        public Removed remove(Duration kept, int most) {
            int rows = jdbc.sql("""
                            delete from share_history where ctid = any(array(
                                select ctid from share_history where at < :before order by at limit :most))
                            """)
                    .param("before", SqlInstant.of(clock.instant().minus(kept)))
                    .param("most", most)
                    .update();
            return Removed.of(rows, most);
        }
    }
}
