package io.muster.job;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Instants as Postgres takes and gives them: to the microsecond, with their zone said. */
public final class SqlInstant {
    private SqlInstant() {}

    public static OffsetDateTime of(Instant at) {
        return at.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }

    public static @Nullable OffsetDateTime ofNullable(@Nullable Instant at) {
        return at == null ? null : of(at);
    }

    /** The value of a column that is never null. */
    public static Instant read(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(readNullable(row, column), column);
    }

    public static @Nullable Instant readNullable(ResultSet row, String column) throws SQLException {
        OffsetDateTime at = row.getObject(column, OffsetDateTime.class);
        return at == null ? null : at.toInstant();
    }
}
