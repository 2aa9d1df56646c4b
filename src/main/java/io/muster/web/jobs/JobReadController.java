package io.muster.web.jobs;

import io.muster.job.Explanations;
import io.muster.job.JobCatalogue;
import io.muster.job.JobHistory;
import io.muster.job.JobRow;
import io.muster.model.JobId;
import io.muster.tenancy.Reader;
import io.muster.web.problem.Cursor;
import io.muster.web.problem.Problem;
import io.muster.web.view.AttemptView;
import io.muster.web.view.CheckpointView;
import io.muster.web.view.ExplanationView;
import io.muster.web.view.JobEventView;
import io.muster.web.view.NodeView;
import io.muster.web.view.Page;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Reads what is known of one job besides its document. */
@RestController
@RequestMapping("/api/v1/jobs/{id}")
class JobReadController {
    private static final int USUAL_PAGE = 100;
    private static final int MOST_EVENTS = 500;

    private final JobCatalogue catalogue;
    private final JobHistory history;
    private final Explanations explanations;
    private final ExplanationViews explanationViews;
    private final EventViews events;
    private final PlacementViews placements;

    JobReadController(
            JobCatalogue catalogue,
            JobHistory history,
            Explanations explanations,
            ExplanationViews explanationViews,
            EventViews events,
            PlacementViews placements) {
        this.catalogue = catalogue;
        this.history = history;
        this.explanations = explanations;
        this.explanationViews = explanationViews;
        this.events = events;
        this.placements = placements;
    }

    @GetMapping("/explanation")
    ExplanationView explanation(@PathVariable long id, Reader reader) {
        JobRow job = any(id);
        return explanations
                .of(job)
                .map(e -> explanationViews.of(e, job, reader))
                .orElseThrow(() -> Problem.of(
                        HttpStatus.CONFLICT,
                        "not-waiting",
                        "The job is " + job.life().state() + ": it does not wait."));
    }

    @GetMapping("/events")
    Page<JobEventView> events(
            @PathVariable long id,
            @RequestParam(required = false) @Nullable String after,
            @RequestParam(required = false) @Nullable Integer limit,
            Reader reader) {
        JobRow job = own(id, reader);
        int size = Cursor.limit(limit, USUAL_PAGE, MOST_EVENTS);
        Long from = Cursor.number("after", after);
        List<JobHistory.Event> found = history.events(job.id(), from == null ? 0 : from, size);
        String next = found.size() < size
                ? null
                : Cursor.of(Long.toString(found.getLast().id()));
        return new Page<>(found.stream().map(events::whole).toList(), next);
    }

    @GetMapping("/attempts")
    List<AttemptView> attempts(@PathVariable long id, Reader reader) {
        return history.attempts(own(id, reader).id()).stream()
                .map(AttemptViews::of)
                .toList();
    }

    @GetMapping("/placement")
    List<NodeView> placement(@PathVariable long id, Reader reader) {
        return placements.of(history.nodes(any(id).id()), reader);
    }

    @GetMapping("/checkpoints")
    List<CheckpointView> checkpoints(@PathVariable long id, Reader reader) {
        return history.checkpoints(own(id, reader).id()).stream()
                .map(c -> new CheckpointView(c.id(), c.attempt(), c.step(), c.path(), c.bytes(), c.requested(), c.at()))
                .toList();
    }

    private JobRow any(long id) {
        JobId job = Ids.job(id);
        return catalogue.row(job).orElseThrow(() -> Problem.notFound("job"));
    }

    /** What is the team's own affair does not exist for others. */
    private JobRow own(long id, Reader reader) {
        JobRow job = any(id);
        if (!JobViews.mayLookInto(job, reader)) {
            throw Problem.notFound("job");
        }
        return job;
    }
}
