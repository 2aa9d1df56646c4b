package io.muster.database;

import java.time.Duration;
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
    /** Calls within this time outside a transaction look at the counter once: a page asks for a hundred teams. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

    private static final int LOADS = 3;

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

    public T get() {
        Held<T> now = held;
        return now != null && now.isYoung() && !inTransaction() ? now.value() : look().value();
    }

    /** The counter as committed now, never from memory. */
    public long revision() {
        return look().mark().revision();
    }

    private Held<T> look() {
        Mark mark = mark();
        Held<T> now = held;
        if (now != null && now.mark().sameAs(mark)) {
            return keep(now.lookedAtNow());
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
                return new Held<>(before, value, System.nanoTime());
            }
            before = after;
        }
    }

    private Held<T> keep(Held<T> next) {
        Held<T> now = held;
        if (!next.mark().uncommitted() && (now == null || next.mark().revision() >= now.mark().revision())) {
            held = next;
        }
        return next;
    }

    private Mark mark() {
        return jdbc.sql(markSql)
                .query((row, n) -> new Mark(row.getLong(1), row.getString(2), row.getBoolean(3)))
                .single();
    }

    private static boolean inTransaction() {
        return TransactionSynchronizationManager.isActualTransactionActive();
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

    private record Held<T>(Mark mark, T value, long lookedAt) {
        boolean isYoung() {
            return System.nanoTime() - lookedAt < LOOK_AGAIN.toNanos();
        }

        Held<T> lookedAtNow() {
            return new Held<>(mark, value, System.nanoTime());
        }
    }
}
