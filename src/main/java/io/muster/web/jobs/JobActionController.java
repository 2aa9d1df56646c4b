package io.muster.web.jobs;

import io.muster.job.JobAction;
import io.muster.job.JobActions;
import io.muster.job.JobCatalogue;
import io.muster.job.JobChoices;
import io.muster.job.JobEditing;
import io.muster.job.JobRow;
import io.muster.job.PlainDuration;
import io.muster.model.JobId;
import io.muster.tenancy.Reader;
import io.muster.web.problem.Problem;
import io.muster.web.view.Actions;
import io.muster.web.view.JobDetail;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Acts on jobs, one or many. */
@RestController
@RequestMapping("/api/v1/jobs")
class JobActionController {
    private static final int MOST_AT_ONCE = 1000;
    private static final Set<JobAction> BULK =
            EnumSet.of(JobAction.CANCEL, JobAction.HOLD, JobAction.RELEASE, JobAction.PRIORITY);

    private final JobActions actions;
    private final JobEditing editing;
    private final JobCatalogue catalogue;
    private final JobViews views;

    JobActionController(JobActions actions, JobEditing editing, JobCatalogue catalogue, JobViews views) {
        this.actions = actions;
        this.editing = editing;
        this.catalogue = catalogue;
        this.views = views;
    }

    @PostMapping("/{id}/cancel")
    @ResponseStatus(HttpStatus.ACCEPTED)
    JobDetail cancel(
            @PathVariable long id, @RequestBody(required = false) Actions.@Nullable Reason body, Reader reader) {
        return act(id, JobAction.CANCEL, body, reader);
    }

    @PostMapping("/{id}/hold")
    @ResponseStatus(HttpStatus.ACCEPTED)
    JobDetail hold(@PathVariable long id, @RequestBody(required = false) Actions.@Nullable Reason body, Reader reader) {
        return act(id, JobAction.HOLD, body, reader);
    }

    @PostMapping("/{id}/release")
    @ResponseStatus(HttpStatus.ACCEPTED)
    JobDetail release(@PathVariable long id, Reader reader) {
        return act(id, JobAction.RELEASE, null, reader);
    }

    @PostMapping("/{id}/checkpoint")
    @ResponseStatus(HttpStatus.ACCEPTED)
    JobDetail checkpoint(@PathVariable long id, Reader reader) {
        return act(id, JobAction.CHECKPOINT, null, reader);
    }

    @PostMapping("/{id}/priority")
    JobDetail priority(@PathVariable long id, @RequestBody Actions.Priority body, Reader reader) {
        editing.priority(reader, Ids.job(id), needed("priority", body.priority()));
        return detail(Ids.job(id), reader);
    }

    @PostMapping("/{id}/extend")
    JobDetail extend(@PathVariable long id, @RequestBody Actions.Extend body, Reader reader) {
        var by = PlainDuration.parse(needed("by", body.by()))
                .orElseThrow(() -> Problem.invalid("by", "must be a duration such as 90m or 2h"));
        editing.extend(reader, Ids.job(id), by);
        return detail(Ids.job(id), reader);
    }

    @PostMapping("/bulk")
    Actions.BulkResult bulk(@RequestBody Actions.Bulk body, Reader reader) {
        JobAction action = JobAction.of(needed("action", body.action()))
                .filter(BULK::contains)
                .orElseThrow(() -> Problem.invalid("action", "must be cancel, hold, release or priority"));
        String priority = action == JobAction.PRIORITY ? needed("priority", body.priority()) : null;
        @Nullable List<Long> jobs = body.jobs();
        if (jobs == null || jobs.isEmpty() || jobs.size() > MOST_AT_ONCE) {
            throw Problem.invalid("jobs", "must name 1 to " + MOST_AT_ONCE + " jobs");
        }
        Map<Long, JobActions.Outcome> outcomes = new LinkedHashMap<>();
        for (Long id : jobs.stream().distinct().toList()) {
            JobActions.Outcome outcome = id == null || id <= 0
                    ? new JobActions.Outcome.NotFound()
                    : actions.tryAct(reader, new JobId(id), action, priority, body.why(), body.dryRun());
            outcomes.put(id == null ? 0 : id, outcome);
        }
        Map<Long, JobRow> rows = rows(outcomes);
        return new Actions.BulkResult(outcomes.entrySet().stream()
                .map(each -> item(each.getKey(), each.getValue(), rows.get(each.getKey())))
                .toList());
    }

    private JobDetail act(long id, JobAction action, Actions.@Nullable Reason body, Reader reader) {
        actions.act(reader, Ids.job(id), action, body == null ? null : body.why());
        return detail(Ids.job(id), reader);
    }

    private JobDetail detail(JobId job, Reader reader) {
        return views.detail(catalogue.find(job).orElseThrow(() -> Problem.notFound("job")), reader);
    }

    /** Those of which the reader was told more than that there is nothing. */
    private Map<Long, JobRow> rows(Map<Long, JobActions.Outcome> outcomes) {
        List<JobId> seen = outcomes.entrySet().stream()
                .filter(each -> !(each.getValue() instanceof JobActions.Outcome.NotFound))
                .map(each -> new JobId(each.getKey()))
                .toList();
        return catalogue.rows(seen).stream()
                .collect(Collectors.toMap(row -> row.id().value(), Function.identity()));
    }

    private static Actions.BulkItem item(long job, JobActions.Outcome outcome, @Nullable JobRow row) {
        return switch (outcome) {
            case JobActions.Outcome.Done d -> item(job, "done", null, row);
            case JobActions.Outcome.WouldDo w -> item(job, "would-do", null, row);
            case JobActions.Outcome.Unchanged(JobChoices.No why) -> item(job, "unchanged", why, row);
            case JobActions.Outcome.Refused(JobChoices.No why) -> item(job, "refused", why, row);
            case JobActions.Outcome.NotFound n -> item(job, "not-found", null, null);
        };
    }

    private static Actions.BulkItem item(long job, String outcome, JobChoices.@Nullable No why, @Nullable JobRow row) {
        String code = why == null ? null : why.code();
        String sentence = why == null ? null : why.sentence();
        return row == null
                ? new Actions.BulkItem(job, outcome, code, sentence, null, null, null, null)
                : new Actions.BulkItem(
                        job,
                        outcome,
                        code,
                        sentence,
                        row.name(),
                        row.life().state().name(),
                        row.priority(),
                        row.gpus());
    }

    private static String needed(String field, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw Problem.invalid(field, "is needed");
        }
        return value;
    }
}
