package io.muster.time;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Where domain time stands, as Postgres keeps it. */
final class ClockAnchor {
    private final JdbcClient jdbc;
    private final Clock real;

    ClockAnchor(JdbcClient jdbc, Clock real) {
        this.jdbc = jdbc;
        this.real = real;
    }

    /**
     * The clock that runs at {@code scale}: it goes on from where the last one stands now. A first clock of scale 1 is
     * the real one and leaves no trace.
     */
    Clock clock(BigDecimal scale) {
        Optional<Row> kept = read();
        if (kept.isEmpty() && scale.compareTo(BigDecimal.ONE) == 0) {
            return real;
        }
        if (kept.isEmpty()) {
            Instant now = now();
            keepFirst(new Row(now, now, scale));
        } else if (kept.get().scale().compareTo(scale) != 0) {
            Row old = kept.get();
            Instant now = now();
            replace(old, new Row(now, clockOf(old).instant(), scale));
        }
        return clockOf(read().orElseThrow());
    }

    private ScaledClock clockOf(Row row) {
        return new ScaledClock(real, row.realAt(), row.domainAt(), row.scale());
    }

    private Instant now() {
        return real.instant().truncatedTo(ChronoUnit.MICROS);
    }

    private Optional<Row> read() {
        return jdbc.sql("select real_at, domain_at, scale from domain_clock")
                .query((row, n) -> new Row(instant(row, 1), instant(row, 2), row.getBigDecimal(3)))
                .optional();
    }

    /** Another server may have been first: then its anchor stays. */
    private void keepFirst(Row row) {
        jdbc.sql("insert into domain_clock (real_at, domain_at, scale) values (?, ?, ?) on conflict do nothing")
                .params(sql(row.realAt()), sql(row.domainAt()), row.scale())
                .update();
    }

    /** Compare-and-set: of two servers that start with a new scale, one moves the anchor. */
    private void replace(Row old, Row next) {
        jdbc.sql("update domain_clock set real_at = ?, domain_at = ?, scale = ? where real_at = ? and scale = ?")
                .params(sql(next.realAt()), sql(next.domainAt()), next.scale(), sql(old.realAt()), old.scale())
                .update();
    }

    private static OffsetDateTime sql(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    private static Instant instant(ResultSet row, int column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private record Row(Instant realAt, Instant domainAt, BigDecimal scale) {}
}
