package io.muster.web.jobs;

import io.muster.job.JobFilter;
import io.muster.job.JobTally;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.tenancy.Reader;
import io.muster.web.problem.Problem;
import io.muster.web.view.JobGroup;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The list of jobs, counted: the same filters, by team, state, user or priority. */
@RestController
@RequestMapping("/api/v1/jobs/groups")
class JobGroupController {
    private final JobTally tally;
    private final JobFilters filters;
    private final JobViews views;

    JobGroupController(JobTally tally, JobFilters filters, JobViews views) {
        this.tally = tally;
        this.filters = filters;
        this.views = views;
    }

    @GetMapping
    List<JobGroup> groups(@RequestParam String by, @ParameterObject JobFilters.Asked asked, Reader reader) {
        JobTally.By what = by(by);
        return filters.of(asked, null, reader)
                .map(filter -> tally.of(visible(filter, what, reader), what).stream()
                        .map(group -> view(group, what))
                        .toList())
                .orElse(List.of());
    }

    /** Who submitted a job is its team's own affair. */
    private static JobFilter visible(JobFilter f, JobTally.By by, Reader reader) {
        return by != JobTally.By.USER || reader.platformAdmin() || f.within() != null
                ? f
                : new JobFilter(
                        f.teams(),
                        reader.teamsWith(Role.VIEWER),
                        f.owner(),
                        f.states(),
                        f.priority(),
                        f.pool(),
                        f.text(),
                        f.labels(),
                        f.oldestFirst());
    }

    private JobGroup view(JobTally.Group g, JobTally.By by) {
        String key = switch (by) {
            case TEAM -> views.path(new TeamId(UUID.fromString(g.key())));
            case USER -> views.username(new UserId(UUID.fromString(g.key())));
            case STATE, PRIORITY -> g.key();
        };
        return new JobGroup(key, g.jobs(), g.waiting(), g.active(), g.gpusInUse(), g.gpusWanted());
    }

    private static JobTally.By by(String word) {
        try {
            return JobTally.By.valueOf(word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw Problem.invalid("by", "must be team, state, user or priority");
        }
    }
}
