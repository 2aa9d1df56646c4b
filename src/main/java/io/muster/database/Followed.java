package io.muster.database;

import io.muster.database.Marks.Mark;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A value loaded from tables whose every change moves a revision counter: it is loaded anew when the counter moved, so
 * that the caches of all servers follow. A counter may be drawn twice when a transaction rolls back, so a mark also
 * names the transaction that wrote it; what a transaction changed and has not committed is seen by itself alone.
 *
 * @param <T> an immutable value
 */
public final class Followed<T> {
    private static final int LOADS = 3;

    private final JdbcClient jdbc;
    private final List<String> counters;
    private final Supplier<T> load;
    private volatile @Nullable Held<T> held;

    private Followed(JdbcClient jdbc, List<String> counters, Supplier<T> load) {
        this.jdbc = jdbc;
        this.counters = counters;
        this.load = load;
    }

    /** Follows the sum of counters that the view {@code revision_mark} names. */
    public static <T> Followed<T> of(JdbcClient jdbc, Supplier<T> load, String... counters) {
        return new Followed<>(jdbc, List.of(counters), load);
    }

    public T get() {
        Sight sight = Sight.current();
        return sight == null
                ? look(mark()).value()
                : sight.value(this, () -> look(mark()).value());
    }

    /** The counter, never from memory but that of this thread's {@link Sight}. */
    public long revision() {
        return mark().revision();
    }

    private Held<T> look(Mark mark) {
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
            Mark after = Sight.look(jdbc).of(counters);
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
        Sight sight = Sight.current();
        return (sight == null ? Sight.look(jdbc) : sight.marks(jdbc)).of(counters);
    }

    private record Held<T>(Mark mark, T value) {}
}
