package io.muster.virtual;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Instants and durations as the driver takes them. */
final class SqlTime {
    private SqlTime() {}

    static OffsetDateTime of(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    static Instant at(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(atOrNull(row, column), column);
    }

    static @Nullable Instant atOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
        return value == null ? null : value.toInstant();
    }

    static @Nullable Duration millisOrNull(ResultSet row, String column) throws SQLException {
        Long value = row.getObject(column, Long.class);
        return value == null ? null : Duration.ofMillis(value);
    }
}
