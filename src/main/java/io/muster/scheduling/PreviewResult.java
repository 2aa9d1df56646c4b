package io.muster.scheduling;

import io.muster.model.JobId;
import io.muster.model.Reason;
import io.muster.scheduling.plan.Decision;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What would happen to a job if it were submitted now.
 *
 * @param startsNow it would start in the next cycle; victims, if any, then yield their share and not their nodes
 * @param decision the Start, or the Reserve when others must yield or end first, or null: it would only wait
 * @param reasons why it would not start now, the binding one first; empty when it starts
 * @param place its place in the order of its pool, from 1; 0 when it starts now or does not queue
 * @param victims jobs that would be asked to save and yield for it
 * @param expectedStart when it is likely to start, or null when nobody knows
 * @param latestStart when it will have started in nine of ten cases, or null
 */
public record PreviewResult(
        boolean startsNow,
        @Nullable Decision decision,
        List<Reason> reasons,
        int place,
        List<JobId> victims,
        @Nullable Instant expectedStart,
        @Nullable Instant latestStart) {
    public PreviewResult {
        reasons = List.copyOf(reasons);
        victims = List.copyOf(victims);
    }
}
