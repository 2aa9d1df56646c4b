package io.muster.web.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What would happen if a document were submitted now. An invalid document is a 4xx problem instead.
 *
 * @param outcome starts-now, starts-after-victims or waits
 * @param replicas how many it would have in the places that it would get, null: it would get none yet
 * @param places GPUs per node, in rank order, when it would start
 * @param victims jobs that would be asked to yield
 * @param gpuSecondsLost what the victims would redo if they did not save: their work since the last checkpoint, and their
 *     restarts; one that saves when it is asked loses less; null without victims
 * @param expectedStart if it had to wait, it would have started by then with an even chance, null: nobody knows
 * @param latestStart it would have started by then in nine of ten cases, null: nobody knows
 * @param startBy where the two come from: {@code forecast} (the scheduler run ahead) or {@code ends} (a rough estimate
 *     from the ends of what runs); null without
 * @param costMicros of its whole walltime, null without walltime or price
 */
public record PreviewView(
        String outcome,
        int gpus,
        @Nullable Integer replicas,
        @Nullable String pool,
        @Nullable String gpuType,
        @Nullable String domain,
        List<PlaceView> places,
        List<Victim> victims,
        @Nullable Long gpuSecondsLost,
        List<ReasonView> reasons,
        int place,
        @Nullable Instant expectedStart,
        @Nullable Instant latestStart,
        @Nullable String startBy,
        @Nullable Long costMicros,
        String currency,
        @Nullable String yaml) {

    public record PlaceView(String node, int total, int gpus, int busy) {}

    public record Victim(long job, @Nullable String name, String team, int gpus) {}
}
