package io.muster.web.view;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a job waits now.
 *
 * @param expectedStart it has started by then with an even chance, null: nobody knows, or later than {@code laterThan}
 * @param latestStart it has started by then in nine of ten cases, or null
 * @param startBy where the two come from: {@code forecast} (the scheduler run ahead), {@code ends} (a rough estimate from
 *     the ends of what runs, until a forecast is there), or null: there are none
 * @param laterThan what is null of the two lies beyond this, or null
 * @param reasons every blocker, the binding one first
 * @param remedies changes that would start it now; {@code patch} is the body of PATCH /jobs/{id} that makes the change,
 *     {@code allowed} whether the reader may make it
 */
public record ExplanationView(
        long job,
        Instant asOf,
        int place,
        List<Long> before,
        @Nullable Instant expectedStart,
        @Nullable Instant latestStart,
        @Nullable String startBy,
        @Nullable Instant laterThan,
        List<ReasonView> reasons,
        List<RemedyView> remedies) {

    /**
     * Kinds: relax-topology, without-slices, fewer-replicas, be-elastic, other-pool, raise-priority.
     *
     * @param gpuSecondsLost of raise-priority: what the victims would redo if they did not save, which is their work since
     *     the last checkpoint, and their restarts; one that saves when it is asked loses less
     */
    public record RemedyView(
            String kind,
            String sentence,
            Map<String, Object> patch,
            boolean allowed,
            @Nullable String needs,
            @Nullable String level,
            @Nullable Integer domainsUsed,
            @Nullable Integer replicas,
            @Nullable String pool,
            @Nullable String gpuType,
            @Nullable String priority,
            List<Long> victims,
            @Nullable Long gpuSecondsLost) {}
}
