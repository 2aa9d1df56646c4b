package io.muster.database;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * Rows as arrays, one for each column, for a statement that takes all of them at once by {@code unnest}: a statement per
 * row costs its own parsing, planning and way to the database.
 */
public final class Columns<R> {
    private final List<R> rows;
    private final MapSqlParameterSource params = new MapSqlParameterSource();

    private Columns(Collection<R> rows) {
        this.rows = List.copyOf(rows);
    }

    public static <R> Columns<R> of(Collection<R> rows) {
        return new Columns<>(rows);
    }

    /** {@code bigint[]}. */
    public Columns<R> longs(String name, Function<R, @Nullable Long> what) {
        return add(name, what, Long[]::new);
    }

    /** {@code integer[]}. */
    public Columns<R> ints(String name, Function<R, @Nullable Integer> what) {
        return add(name, what, Integer[]::new);
    }

    /** {@code boolean[]}. */
    public Columns<R> flags(String name, Function<R, @Nullable Boolean> what) {
        return add(name, what, Boolean[]::new);
    }

    /** {@code float8[]}. */
    public Columns<R> doubles(String name, Function<R, @Nullable Double> what) {
        return add(name, what, Double[]::new);
    }

    /** {@code text[]}, or whatever is written as text: {@code uuid[]}, an array as {@link #literal} says it. */
    public Columns<R> texts(String name, Function<R, @Nullable String> what) {
        return add(name, what, String[]::new);
    }

    /** {@code timestamptz[]}: the driver has no arrays of instants, so Postgres reads them. */
    public Columns<R> instants(String name, Function<R, @Nullable Instant> what) {
        return add(
                name,
                row -> {
                    Instant at = what.apply(row);
                    return at == null ? null : at.truncatedTo(ChronoUnit.MICROS).toString();
                },
                String[]::new);
    }

    private <T> Columns<R> add(String name, Function<R, @Nullable T> what, IntFunction<@Nullable T[]> array) {
        params.addValue(name, rows.stream().<@Nullable T>map(what).toArray(array));
        return this;
    }

    /** The same value for every row. */
    public Columns<R> all(String name, @Nullable Object value) {
        params.addValue(name, value);
        return this;
    }

    public MapSqlParameterSource params() {
        return params;
    }

    /** An array within a row, as Postgres reads it from text: its elements need no quotes. */
    public static String literal(Collection<?> elements) {
        var text = new StringBuilder("{");
        elements.forEach(e -> text.append(text.length() > 1 ? "," : "").append(e));
        return text.append('}').toString();
    }
}
