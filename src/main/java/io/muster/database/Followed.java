package io.muster.database;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A value loaded from tables whose every change moves a revision counter: it is loaded anew when the counter moved, so
 * that the caches of all servers follow. A counter may be drawn twice when a transaction rolls back, so a mark also
 * names the transaction that wrote it; what a transaction changed and has not committed is seen by itself alone.
 *
 * @param <T> an immutable value
 */
public final class Followed<T> {
    private static final int LOADS = 3;
    private static final ThreadLocal<@Nullable Map<Followed<?>, Object>> STEADY = new ThreadLocal<>();

    private final JdbcClient jdbc;
    private final String markSql;
    private final Supplier<T> load;
    private volatile @Nullable Held<T> held;

    private Followed(JdbcClient jdbc, String markSql, Supplier<T> load) {
        this.jdbc = jdbc;
        this.markSql = markSql;
        this.load = load;
    }

    /** Follows the sum of the {@code revision} columns of single-row tables. */
    public static <T> Followed<T> of(JdbcClient jdbc, Supplier<T> load, String... tables) {
        return new Followed<>(jdbc, markSql(tables), load);
    }

    /**
     * From now until it is closed, this thread sees each value as it first finds it, and looks at its counter once: the
     * answer to a read asks for the names of a hundred teams. Transactions look for themselves.
     */
    public static Steady steady() {
        Map<Followed<?>, Object> outer = STEADY.get();
        STEADY.set(new IdentityHashMap<>());
        return () -> STEADY.set(outer);
    }

    /** A scope; see {@link #steady()}. */
    public interface Steady extends AutoCloseable {
        @Override
        void close();
    }

    @SuppressWarnings("unchecked") // only this puts a value under itself
    public T get() {
        Map<Followed<?>, Object> seen = STEADY.get();
        if (seen == null || TransactionSynchronizationManager.isActualTransactionActive()) return look().value();
        return (T) seen.computeIfAbsent(this, f -> f.look().value());
    }

    /** The counter as committed now, never from memory. */
    public long revision() {
        return look().mark().revision();
    }

    private Held<T> look() {
        Mark mark = mark();
        Held<T> now = held;
        if (now != null && now.mark().sameAs(mark)) {
            return now;
        }
        return keep(loadAt(mark));
    }

    /** A change between the two looks could mix old and new rows: then the load is done again. */
    private Held<T> loadAt(Mark first) {
        Mark before = first;
        for (int i = 1; ; i++) {
            T value = load.get();
            Mark after = mark();
            if (after.sameAs(before) || i == LOADS) {
                return new Held<>(before, value);
            }
            before = after;
        }
    }

    private Held<T> keep(Held<T> next) {
        Held<T> now = held;
        if (!next.mark().uncommitted()
                && (now == null || next.mark().revision() >= now.mark().revision())) {
            held = next;
        }
        return next;
    }

    private Mark mark() {
        return jdbc.sql(markSql)
                .query((row, n) -> new Mark(row.getLong(1), row.getString(2), row.getBoolean(3)))
                .single();
    }

    private static String markSql(String... tables) {
        return "select sum(revision)::bigint, string_agg(writer::text, ' '), bool_or(mine) from ("
                + String.join(
                        " union all ",
                        java.util.Arrays.stream(tables).map(Followed::one).toList())
                + ") marks";
    }

    private static String one(String table) {
        return "select revision, xmin as writer, coalesce(xmin = pg_current_xact_id_if_assigned()::xid, false) as mine"
                + " from " + table;
    }

    private record Mark(long revision, String writer, boolean uncommitted) {
        boolean sameAs(Mark other) {
            return revision == other.revision && writer.equals(other.writer);
        }
    }

    private record Held<T>(Mark mark, T value) {}
}
