package io.muster.web;

import io.muster.web.problem.Cursor;
import io.muster.web.view.Page;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Pages of what is known by a unique name, in the order of the names: a cursor holds whatever comes or goes meanwhile. */
final class NamedPages {
    private static final int USUAL = 100;
    private static final int MOST = 500;

    private NamedPages() {}

    /** @param all in any order */
    static <T> Page<T> of(List<T> all, Function<T, String> name, @Nullable String cursor, @Nullable Integer limit) {
        int size = Cursor.limit(limit, USUAL, MOST);
        String after = Cursor.position(cursor);
        List<T> rest = all.stream()
                .filter(each -> after == null || name.apply(each).compareTo(after) > 0)
                .sorted(Comparator.comparing(name))
                .limit(size + 1L)
                .toList();
        List<T> items = rest.subList(0, Math.min(size, rest.size()));
        String next = rest.size() > size ? Cursor.of(name.apply(items.getLast())) : null;
        return new Page<>(items, next);
    }
}
