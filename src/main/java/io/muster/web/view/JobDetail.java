package io.muster.web.view;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One job. For readers outside the team everything but {@code job} is null or empty. A job of which what is stored cannot
 * be read has a revision, but neither document nor yaml nor effective.
 *
 * @param revision revision of the document; PATCH takes it in If-Match
 * @param document as JSON, as the user wrote it
 * @param yaml the same as YAML
 * @param effective the document with team defaults filled in
 * @param actions what the reader may do now: cancel hold release checkpoint priority extend patch
 * @param refusals why an action of the list of all is not possible now, by action
 */
public record JobDetail(
        JobSummary job,
        @Nullable Integer revision,
        @Nullable Map<String, Object> document,
        @Nullable String yaml,
        @Nullable Map<String, Object> effective,
        @Nullable Resume resume,
        @Nullable Failure failure,
        @Nullable String holdWhy,
        @Nullable Long ranSeconds,
        @Nullable Long walltimeSeconds,
        @Nullable Cost cost,
        int preemptions,
        List<String> actions,
        Map<String, No> refusals) {

    /** Why an action is not possible now: a stable word and a sentence. */
    public record No(String code, String sentence) {}

    public record Resume(String path, long step, Instant savedAt) {}

    public record Failure(
            String failure,
            @Nullable Integer exitCode,
            @Nullable String message,
            @Nullable String replica) {}

    public record Cost(double gpuHours, long micros, String currency) {}
}
