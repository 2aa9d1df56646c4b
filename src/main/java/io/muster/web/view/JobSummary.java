package io.muster.web.view;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job in a list. Fields marked (team) are null for readers outside the job's team.
 *
 * @param name (team)
 * @param submittedBy (team) username
 * @param state QUEUED STARTING RUNNING CHECKPOINTING STOPPING SUCCEEDED FAILED CANCELLED HELD
 * @param after what follows CHECKPOINTING or STOPPING
 * @param replicas all that it asks for
 * @param minReplicas of an elastic job: the fewest it works with
 * @param replicasNow how many its attempt has, null while it has none
 * @param shape replicas and GPUs per replica of each group
 * @param pool where it runs or ran last, null before
 * @param expectedStart while it waits: it has started by then with an even chance
 * @param latestStart while it waits: it has started by then in nine of ten cases
 * @param place place in order while it waits, from 1
 * @param headline the binding reason while it waits
 * @param progress (team) newest progress
 * @param leaving present while it yields to another job
 * @param hungSince (team) it runs, and was last heard then: it may hang
 * @param labels (team)
 * @param mayAct whether the reader may cancel, hold, ... it
 */
public record JobSummary(
        long id,
        @Nullable String name,
        String team,
        @Nullable String submittedBy,
        String state,
        @Nullable String after,
        String priority,
        boolean preemptible,
        int gpus,
        int replicas,
        @Nullable Integer minReplicas,
        @Nullable Integer replicasNow,
        List<Shape> shape,
        @Nullable String pool,
        @Nullable String gpuType,
        int attempt,
        Instant submittedAt,
        @Nullable Instant waitingSince,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable Instant expectedEnd,
        @Nullable Instant expectedStart,
        @Nullable Instant latestStart,
        @Nullable Integer place,
        @Nullable ReasonView headline,
        @Nullable Progress progress,
        @Nullable Leaving leaving,
        @Nullable Instant hungSince,
        @Nullable Map<String, String> labels,
        boolean mayAct) {

    public record Shape(String group, int replicas, int gpusEach) {}

    public record Progress(
            long step, @Nullable Long of, @Nullable Double loss, Instant at) {}

    /** It was asked to yield: for whom, by when it is stopped, whether it has saved. */
    public record Leaving(
            @Nullable Long beneficiary, @Nullable Instant deadline, boolean saved) {}
}
