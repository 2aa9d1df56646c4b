package io.muster.accounting;

import io.muster.retention.DatedRows;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Use and money by day; what each job used stays with the job. */
@Component
class UsageShelf extends DatedRows {
    UsageShelf(JdbcClient jdbc, Clock clock) {
        super(jdbc, clock, "usage", Duration.ofDays(1830), """
                delete from usage_day where ctid = any(array(
                    select ctid from usage_day where day < :before order by day limit :most))
                """);
    }

    @Override
    protected Object before(Instant at) {
        return LocalDate.ofInstant(at, ZoneOffset.UTC);
    }
}
