package io.muster.accounting;

import io.muster.retention.Shelf;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Use and money by day; what each job used stays with the job. */
@Component
class UsageShelf implements Shelf {
    private final JdbcClient jdbc;
    private final Clock clock;

    UsageShelf(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "usage";
    }

    @Override
    public Duration shipped() {
        return Duration.ofDays(1830);
    }

    @Override
    public Removed remove(Duration kept, int most) {
        int rows = jdbc.sql("""
                        delete from usage_day where ctid = any(array(
                            select ctid from usage_day where day < :before order by day limit :most))
                        """)
                .param("before", LocalDate.ofInstant(clock.instant().minus(kept), ZoneOffset.UTC))
                .param("most", most)
                .update();
        return Removed.of(rows, most);
    }
}
