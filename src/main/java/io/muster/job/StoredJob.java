package io.muster.job;

import io.muster.lifecycle.Life;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One job with its document.
 *
 * @param document in force, defaults filled in; null, as the three that follow: what is stored cannot be read
 * @param written the same as it was written, ready for JSON
 * @param effective the document in force in the words people write, ready for JSON
 * @param yaml what was written, as YAML
 * @param preemptions how often it was preempted in the last days
 */
public record StoredJob(
        JobRow row,
        @Nullable JobDocument document,
        @Nullable Map<String, @Nullable Object> written,
        @Nullable Map<String, @Nullable Object> effective,
        @Nullable String yaml,
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

    /** As {@link JobCatalogue#find} gives a job that has just been submitted. */
    static StoredJob fresh(JobId id, DocumentCheck.Checked checked, UserId owner, Instant at) {
        JobDocument document = checked.document();
        var row = new JobRow(
                id,
                checked.team().id(),
                owner,
                document.name(),
                1,
                document.priority(),
                document.preemptible(),
                document.gpus(),
                document.replicas(),
                document.groups().stream()
                        .map(g -> new JobRow.Shape(
                                g.name(), g.replicas(), g.min(), g.each().gpus()))
                        .toList(),
                document.labels(),
                new Life(JobState.QUEUED, null),
                0,
                at,
                at,
                null,
                null,
                null,
                document.walltime(),
                Duration.ZERO,
                0,
                null,
                null);
        return of(row, document, checked.written(), null, null, null, 0);
    }

    static StoredJob of(
            JobRow row,
            JobDocument document,
            ObjectNode written,
            @Nullable Resume resume,
            @Nullable Failure failure,
            @Nullable String holdWhy,
            int preemptions) {
        return new StoredJob(
                row,
                document,
                map(written),
                map(DocumentForm.of(document)),
                DocumentYaml.of(written),
                resume,
                failure,
                holdWhy,
                preemptions);
    }

    private static Map<String, @Nullable Object> map(ObjectNode object) {
        var map = new LinkedHashMap<String, @Nullable Object>();
        object.properties().forEach(field -> map.put(field.getKey(), plain(field.getValue())));
        return map;
    }

    private static @Nullable Object plain(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> map(object);
            case ArrayNode array ->
                array.valueStream().<@Nullable Object>map(StoredJob::plain).toList();
            case JsonNode v when v.isString() -> v.asString();
            case JsonNode v when v.isNumber() -> v.numberValue();
            case JsonNode v when v.isBoolean() -> v.asBoolean();
            case JsonNode v when v.isNull() -> null;
            case JsonNode v -> throw new IllegalArgumentException("no value of a document: " + v);
        };
    }

    /** A job of whose document nothing can be read: the rest of it is shown, and it can be stopped. */
    static StoredJob unreadable(
            JobRow row, @Nullable Resume resume, @Nullable Failure failure, @Nullable String holdWhy, int preemptions) {
        return new StoredJob(row, null, null, null, null, resume, failure, holdWhy, preemptions);
    }

    /** What decides which actions are possible. */
    public JobChoices.Job choices() {
        return new JobChoices.Job(
                row.team(),
                row.owner(),
                row.life(),
                document == null
                        ? null
                        : new JobChoices.Asks(
                                document.checkpoint().by(),
                                document.checkpoint().path() != null,
                                document.walltime() != null));
    }
}
