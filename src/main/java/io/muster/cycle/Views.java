package io.muster.cycle;

import io.muster.model.JobId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the core was shown of jobs. Whoever is as before is the same object as before, so that the core need not read it
 * again; of a job of which nothing was read anew, and on which time has no effect, it is not even made again.
 */
final class Views<V> {
    private static final int FEW = 1_000;

    private final Map<JobId, Shown<V>> shown = new HashMap<>();

    /** What a view was made of, told by identity. */
    record Made(@Nullable Object seen, Object facts, Object service) {
        boolean isOf(Made other) {
            return seen != null && seen == other.seen && facts == other.facts && service == other.service;
        }
    }

    private record Shown<V>(Made of, boolean lasting, V view) {}

    /** @param lasting made of the same, the view is the same at any time */
    V of(JobId job, Made of, boolean lasting, Supplier<V> make) {
        Shown<V> before = shown.get(job);
        if (before != null && lasting && before.lasting() && before.of().isOf(of)) {
            return before.view();
        }
        V made = make.get();
        V view = before != null && before.view().equals(made) ? before.view() : made;
        shown.put(job, new Shown<>(of, lasting, view));
        return view;
    }

    /** Forgets jobs that are over, when they have become many. */
    void forgetAllBut(int present, World world) {
        if (shown.size() > FEW + 2 * present) {
            shown.keySet().removeIf(job -> world.job(job) == null);
        }
    }
}
