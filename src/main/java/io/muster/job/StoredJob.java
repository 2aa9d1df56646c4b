package io.muster.job;

import io.muster.model.FailureClass;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One job with its document.
 *
 * @param document in force, defaults filled in
 * @param written the same as it was written, ready for JSON
 * @param effective the document in force in the words people write, ready for JSON
 * @param yaml what was written, as YAML
 * @param preemptions how often it was preempted in the last days
 */
public record StoredJob(
        JobRow row,
        JobDocument document,
        Map<String, Object> written,
        Map<String, Object> effective,
        String yaml,
        @Nullable Resume resume,
        @Nullable Failure failure,
        @Nullable String holdWhy,
        int preemptions) {

    public record Resume(String path, long step, Instant savedAt) {}

    public record Failure(
            FailureClass failure,
            @Nullable Integer exitCode,
            @Nullable String message,
            @Nullable String replica) {}

    /** What decides which actions are possible. */
    public JobChoices.Job choices() {
        return new JobChoices.Job(
                row.team(),
                row.owner(),
                row.life(),
                document.checkpoint().by(),
                document.checkpoint().path() != null,
                document.walltime() != null);
    }
}
