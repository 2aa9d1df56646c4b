package io.muster.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a job waits now.
 *
 * @param job the job
 * @param asOf when this was true
 * @param reasons every blocker, the binding one first; never empty
 * @param place its place in the order of its pool, from 1; 0 when it is not in the order (held, backoff)
 * @param before the first jobs that stand before it, at most ten
 * @param expectedStart when it is likely to start (even chance), or null when nobody knows
 * @param latestStart when it will have started in nine of ten cases, or null
 * @param remedies changes that would start it now
 */
public record Explanation(
        JobId job,
        Instant asOf,
        List<Reason> reasons,
        int place,
        List<JobId> before,
        @Nullable Instant expectedStart,
        @Nullable Instant latestStart,
        List<Remedy> remedies) {
    public Explanation {
        if (reasons.isEmpty()) {
            throw new IllegalArgumentException("an explanation has at least one reason");
        }
        reasons = List.copyOf(reasons);
        before = List.copyOf(before);
        remedies = List.copyOf(remedies);
    }
}
