package io.muster.database;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * What one thread sees of all {@link Followed} values until it closes this: the counters are read once, all in one
 * statement, and each value stays as it was first found. The answer to a request asks for the names of a hundred teams.
 * Transactions look for themselves.
 */
public final class Sight implements AutoCloseable {
    private static final ThreadLocal<@Nullable Sight> CURRENT = new ThreadLocal<>();

    private final @Nullable Sight outer;
    private final boolean untilWritten;
    private final Map<Followed<?>, Object> values = new IdentityHashMap<>();
    private @Nullable Marks marks;

    private Sight(@Nullable Sight outer, boolean untilWritten) {
        this.outer = outer;
        this.untilWritten = untilWritten;
    }

    /** Stays the same until it is closed, and begins with what the thread sees already. */
    public static Sight steady() {
        return open(false);
    }

    /** The same until this thread commits a transaction: whoever reads after an edit sees it. */
    public static Sight untilWritten() {
        return open(true);
    }

    private static Sight open(boolean untilWritten) {
        Sight outer = CURRENT.get();
        var sight = new Sight(outer, untilWritten);
        if (outer != null) {
            sight.marks = outer.marks;
            sight.values.putAll(outer.values);
        }
        CURRENT.set(sight);
        return sight;
    }

    @Override
    public void close() {
        CURRENT.set(outer);
    }

    /**
     * Asks for one row and, in the same statement, for the counters as they stand, which this thread sees from now on.
     *
     * @param sql a query with at most one row
     */
    public static <T> Optional<T> beside(JdbcClient jdbc, String sql, Map<String, ?> params, RowMapper<T> mapper) {
        return jdbc.sql("select m.marks, q.* from (" + Marks.SQL + ") m left join (select true as found, x.* from ("
                        + sql + ") x) q on true")
                .params(params)
                .query((row, n) -> seen(row, n, mapper))
                .single();
    }

    private static <T> Optional<T> seen(ResultSet row, int n, RowMapper<T> mapper) throws SQLException {
        Sight sight = current();
        if (sight != null) {
            sight.forget();
            sight.marks = Marks.parse(row.getString("marks"));
        }
        return row.getBoolean("found") ? Optional.ofNullable(mapper.mapRow(row, n)) : Optional.empty();
    }

    /** Null: there is none, or a transaction is under way. */
    static @Nullable Sight current() {
        return TransactionSynchronizationManager.isActualTransactionActive() ? null : CURRENT.get();
    }

    /** This thread has written: what it saw before may be over. */
    static void written() {
        for (Sight sight = CURRENT.get(); sight != null; sight = sight.outer) {
            if (sight.untilWritten) sight.forget();
        }
    }

    static Marks look(JdbcClient jdbc) {
        return Marks.parse(jdbc.sql(Marks.SQL).query(String.class).single());
    }

    Marks marks(JdbcClient jdbc) {
        Marks seen = marks;
        if (seen == null) {
            seen = look(jdbc);
            marks = seen;
        }
        return seen;
    }

    @SuppressWarnings("unchecked") // only this puts a value under itself
    <T> T value(Followed<T> of, Supplier<T> find) {
        Object known = values.get(of);
        if (known == null) {
            known = find.get();
            values.put(of, known);
        }
        return (T) known;
    }

    private void forget() {
        marks = null;
        values.clear();
    }
}
