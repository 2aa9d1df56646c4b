package io.muster.web.jobs;

import io.muster.database.Sight;
import io.muster.job.DocumentText;
import io.muster.job.JobCatalogue;
import io.muster.job.JobEditing;
import io.muster.job.JobRow;
import io.muster.job.JobSubmission;
import io.muster.job.StoredJob;
import io.muster.model.JobId;
import io.muster.tenancy.Reader;
import io.muster.web.openapi.JobDocumentBody;
import io.muster.web.problem.Cursor;
import io.muster.web.problem.ETags;
import io.muster.web.problem.Problem;
import io.muster.web.view.JobDetail;
import io.muster.web.view.JobSummary;
import io.muster.web.view.Page;
import io.muster.web.view.PreviewView;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Submits, lists, reads and edits jobs. */
@RestController
@RequestMapping("/api/v1/jobs")
class JobController {
    static final String YAML = "application/yaml";
    static final String OLD_YAML = "text/yaml";
    static final String MERGE_PATCH = "application/merge-patch+json";
    private static final int USUAL_PAGE = 50;
    private static final String EXAMPLE = """
            name: llama-finetune
            team: research/vision
            image: images.example/train:1.4
            command: [torchrun, train.py]
            replicas: 4
            resources: {gpus: 8, cpus: 64, memory: 512Gi}
            gpu: {types: [H100-SXM]}
            topology: {require: block, prefer: rack, patience: 10m}
            walltime: 12h
            checkpoint: {by: api, grace: 2m, path: /vision/ckpt}
            data: [{volume: vision-work, at: /vision}]
            """;

    private final JobSubmission submission;
    private final JobEditing editing;
    private final JobCatalogue catalogue;
    private final JobFilters filters;
    private final JobViews views;
    private final Previews previews;

    JobController(
            JobSubmission submission,
            JobEditing editing,
            JobCatalogue catalogue,
            JobFilters filters,
            JobViews views,
            Previews previews) {
        this.submission = submission;
        this.editing = editing;
        this.catalogue = catalogue;
        this.filters = filters;
        this.views = views;
        this.previews = previews;
    }

    @Operation(summary = "Submits a job")
    @ApiResponse(responseCode = "201", description = "Stored; also when an earlier request with the same key stored it")
    @RequestBody(
            required = true,
            content = {
                @Content(mediaType = "application/json", schema = @Schema(implementation = JobDocumentBody.class)),
                @Content(
                        mediaType = YAML,
                        schema = @Schema(implementation = JobDocumentBody.class),
                        examples = @ExampleObject(EXAMPLE))
            })
    @PostMapping(consumes = {MediaType.APPLICATION_JSON_VALUE, YAML, OLD_YAML})
    ResponseEntity<JobDetail> submit(
            @Parameter(hidden = true) HttpServletRequest request,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String key,
            Reader reader)
            throws IOException {
        try (var steady = Sight.steady()) {
            return answer(submission.submit(reader, RequestText.of(request), key), reader);
        }
    }

    private ResponseEntity<JobDetail> answer(JobSubmission.Outcome outcome, Reader reader) {
        return switch (outcome) {
            case JobSubmission.Outcome.Stored(StoredJob job) -> stored(job, false, reader);
            case JobSubmission.Outcome.StoredBefore(JobId id) -> stored(found(id), true, reader);
            case JobSubmission.Outcome.KeyReused(JobId job) ->
                throw Problem.of(
                                HttpStatus.UNPROCESSABLE_CONTENT,
                                "idempotency-key-reused",
                                "This Idempotency-Key was used for another document, which became job " + job + ".")
                        .at("Idempotency-Key", "idempotency-key-reused", "was used for another document");
        };
    }

    private ResponseEntity<JobDetail> stored(StoredJob job, boolean before, Reader reader) {
        return ResponseEntity.created(URI.create("/api/v1/jobs/" + job.row().id()))
                .eTag(ETags.of(job.row().revision()))
                .header("Idempotent-Replayed", Boolean.toString(before))
                .body(views.detail(job, reader));
    }

    @Operation(summary = "Says what would happen if the document were submitted now")
    @RequestBody(
            required = true,
            content = {
                @Content(mediaType = "application/json", schema = @Schema(implementation = JobDocumentBody.class)),
                @Content(
                        mediaType = YAML,
                        schema = @Schema(implementation = JobDocumentBody.class),
                        examples = @ExampleObject(EXAMPLE))
            })
    @PostMapping(
            path = "/preview",
            consumes = {MediaType.APPLICATION_JSON_VALUE, YAML, OLD_YAML})
    PreviewView preview(@Parameter(hidden = true) HttpServletRequest request, Reader reader) throws IOException {
        try (var steady = Sight.steady()) {
            return previews.of(RequestText.of(request), reader);
        }
    }

    @GetMapping
    Page<JobSummary> list(
            @ParameterObject JobFilters.Asked asked,
            @RequestParam(required = false) @Nullable String order,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(required = false) @Nullable Integer limit,
            Reader reader) {
        int size = Cursor.limit(limit, USUAL_PAGE, JobCatalogue.MOST);
        Long after = Cursor.number("cursor", cursor);
        var filter = filters.of(asked, order, reader);
        if (filter.isEmpty()) {
            return new Page<>(List.of(), null);
        }
        List<JobRow> rows = catalogue.list(filter.get(), after == null || after == 0 ? null : new JobId(after), size);
        String next = rows.size() < size ? null : Cursor.of(rows.getLast().id().toString());
        return new Page<>(views.summaries(rows, reader), next);
    }

    @GetMapping("/{id}")
    ResponseEntity<JobDetail> get(@PathVariable long id, Reader reader) {
        StoredJob job = found(Ids.job(id));
        return ResponseEntity.ok().eTag(ETags.of(job.row().revision())).body(views.detail(job, reader));
    }

    @Operation(summary = "Merges a patch into the document while the job waits")
    @RequestBody(
            required = true,
            content =
                    @Content(
                            mediaType = MERGE_PATCH,
                            schema = @Schema(type = "object", example = "{\"topology\": {\"require\": \"block\"}}")))
    @PatchMapping(
            path = "/{id}",
            consumes = {MERGE_PATCH, MediaType.APPLICATION_JSON_VALUE, YAML, OLD_YAML})
    ResponseEntity<JobDetail> patch(
            @PathVariable long id,
            @Parameter(hidden = true) HttpServletRequest request,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            Reader reader)
            throws IOException {
        Long revision = ETags.version(ifMatch);
        DocumentText patch = RequestText.of(request);
        editing.patch(reader, Ids.job(id), patch, revision == null ? null : Math.toIntExact(revision));
        return get(id, reader);
    }

    private StoredJob found(JobId job) {
        return catalogue.find(job).orElseThrow(() -> Problem.notFound("job"));
    }
}
