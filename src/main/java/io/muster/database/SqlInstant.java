package io.muster.database;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Instants as Postgres takes and gives them: to the microsecond, with their zone said. */
public final class SqlInstant {
    /** No date of ours lies beyond; what says so is damaged. */
    private static final Instant FAR = Instant.parse("9999-01-01T00:00:00Z");

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

    /** A value that is never null, of a row that may be damaged; see {@link #readSoundOrNull}. */
    public static Instant readSound(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(readSoundOrNull(row, column), column);
    }

    /** @throws DateTimeException when the column says something beyond all dates that make sense */
    public static @Nullable Instant readSoundOrNull(ResultSet row, String column) throws SQLException {
        Instant at = readNullable(row, column);
        if (at != null && (at.isAfter(FAR) || at.isBefore(Instant.EPOCH))) {
            throw new DateTimeException(column + " says " + at);
        }
        return at;
    }
}
