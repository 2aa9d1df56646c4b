package io.muster.retention;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A shelf of which rows go by a time of their own, on the cluster's clock; each kind says how it deletes. */
public abstract class DatedRows implements Shelf {
    private final JdbcClient jdbc;
    private final Clock clock;
    private final String name;
    private final Duration shipped;
    private final String delete;

    /** {@code delete}: a statement that deletes at most {@code :most} rows from before {@code :before}. */
    protected DatedRows(JdbcClient jdbc, Clock clock, String name, Duration shipped, String delete) {
        this.jdbc = jdbc;
        this.clock = clock;
        this.name = name;
        this.shipped = shipped;
        this.delete = delete;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Duration shipped() {
        return shipped;
    }

    @Override
    public final Removed remove(Duration kept, int most) {
        int rows = rows(most);
        int removed = jdbc.sql(delete)
                .param("before", before(clock.instant().minus(kept)))
                .param("most", rows)
                .update();
        return Removed.of(removed, rows);
    }

    /** The bound as the column's type has it. */
    protected Object before(Instant at) {
        return at.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }

    /** How many rows make a batch of {@code most}. */
    protected int rows(int most) {
        return most;
    }
}
