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
 * @param startBy where the two starts come from; null: there are none
 * @param laterThan what is null of the two lies beyond this, as far as anybody looked; or null
 */
public record Explanation(
        JobId job,
        Instant asOf,
        List<Reason> reasons,
        int place,
        List<JobId> before,
        @Nullable Instant expectedStart,
        @Nullable Instant latestStart,
        List<Remedy> remedies,
        @Nullable StartBy startBy,
        @Nullable Instant laterThan) {
    /** Where an expected start comes from. */
    public enum StartBy {
        /** From the ends of what runs, as promised or expected: rough, until a forecast is there. */
        ENDS,
        /** From running the scheduler ahead, corrected by how earlier forecasts came out. */
        FORECAST
    }

    public Explanation(
            JobId job,
            Instant asOf,
            List<Reason> reasons,
            int place,
            List<JobId> before,
            @Nullable Instant expectedStart,
            @Nullable Instant latestStart,
            List<Remedy> remedies) {
        this(
                job,
                asOf,
                reasons,
                place,
                before,
                expectedStart,
                latestStart,
                remedies,
                expectedStart == null && latestStart == null ? null : StartBy.ENDS,
                null);
    }

    public Explanation {
        if (reasons.isEmpty()) {
            throw new IllegalArgumentException("an explanation has at least one reason");
        }
        reasons = List.copyOf(reasons);
        before = List.copyOf(before);
        remedies = List.copyOf(remedies);
    }

    /** The same with what was forecast instead of what was estimated. */
    public Explanation expecting(@Nullable Instant start, @Nullable Instant latest, @Nullable Instant later) {
        boolean none = start == null && latest == null && later == null;
        return new Explanation(
                job, asOf, reasons, place, before, start, latest, remedies, none ? null : StartBy.FORECAST, later);
    }

    /** The same as of another instant. */
    public Explanation at(Instant instant) {
        return new Explanation(
                job, instant, reasons, place, before, expectedStart, latestStart, remedies, startBy, laterThan);
    }

    /** The same with these remedies. */
    public Explanation with(List<Remedy> others) {
        return new Explanation(
                job, asOf, reasons, place, before, expectedStart, latestStart, others, startBy, laterThan);
    }
}
