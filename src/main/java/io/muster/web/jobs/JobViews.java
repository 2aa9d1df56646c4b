package io.muster.web.jobs;

import io.muster.job.JobAction;
import io.muster.job.JobChoices;
import io.muster.job.JobRow;
import io.muster.job.StoredJob;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.Reason;
import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.tenancy.People;
import io.muster.tenancy.Person;
import io.muster.tenancy.Reader;
import io.muster.tenancy.TeamDirectory;
import io.muster.web.reason.ReasonViews;
import io.muster.web.view.JobDetail;
import io.muster.web.view.JobSummary;
import io.muster.web.view.ReasonView;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Jobs as a reader may see them: name, owner, progress and document are for readers of the job's team alone. */
@Component
public class JobViews {
    private final TeamDirectory teams;
    private final People people;
    private final ReasonViews reasons;
    private final JobCosts costs;

    JobViews(TeamDirectory teams, People people, ReasonViews reasons, JobCosts costs) {
        this.teams = teams;
        this.people = people;
        this.reasons = reasons;
        this.costs = costs;
    }

    public List<JobSummary> summaries(List<JobRow> rows, Reader reader) {
        return rows.stream().map(row -> summary(row, reader)).toList();
    }

    public JobSummary summary(JobRow row, Reader reader) {
        boolean inside = reader.may(row.team(), Role.VIEWER);
        JobRow.Now now = row.now();
        JobRow.Waiting waiting = row.waiting();
        boolean waits = row.life().state() == JobState.QUEUED || row.life().state() == JobState.HELD;
        return new JobSummary(
                row.id().value(),
                inside ? row.name() : null,
                path(row.team()),
                inside ? username(row.owner()) : null,
                row.life().state().name(),
                row.life().after() == null ? null : row.life().after().name(),
                row.priority(),
                row.preemptible(),
                row.gpus(),
                row.replicas(),
                row.minReplicas() < row.replicas() ? row.minReplicas() : null,
                now == null || !row.life().state().isActive() ? null : now.replicas(),
                row.shape().stream()
                        .map(s -> new JobSummary.Shape(s.group(), s.replicas(), s.gpusEach()))
                        .toList(),
                row.pool() == null ? null : row.pool().value(),
                now == null ? null : now.gpuType().value(),
                row.attempt(),
                row.submittedAt(),
                waits ? row.waitingSince() : null,
                row.startedAt(),
                row.endedAt(),
                row.expectedEnd(),
                waiting == null ? null : waiting.expectedStart(),
                waiting == null ? null : waiting.latestStart(),
                waiting == null || waiting.place() == 0 ? null : waiting.place(),
                waits ? headline(row.life().state(), waiting, reader) : null,
                inside && now != null && row.life().state().isActive() ? progress(now.progress()) : null,
                leaving(row, now),
                inside && now != null && row.life().state() == JobState.RUNNING ? now.hungSince() : null,
                inside ? new TreeMap<>(row.labels()) : null,
                JobChoices.mayAct(reader, row.team(), row.owner()));
    }

    public JobDetail detail(StoredJob job, Reader reader) {
        JobSummary summary = summary(job.row(), reader);
        if (!reader.may(job.row().team(), Role.VIEWER)) {
            return new JobDetail(
                    summary, null, null, null, null, null, null, null, null, null, null, 0, List.of(), Map.of());
        }
        Map<JobAction, JobChoices.No> refusals = JobChoices.refusals(job.choices(), reader);
        return new JobDetail(
                summary,
                job.row().revision(),
                job.written(),
                job.yaml(),
                job.effective(),
                resume(job.resume()),
                failure(job.failure()),
                job.holdWhy(),
                costs.ranSeconds(job.row()),
                job.row().walltime() == null ? null : job.row().walltime().toSeconds(),
                costs.soFar(job.row()),
                job.preemptions(),
                Arrays.stream(JobAction.values())
                        .filter(a -> !refusals.containsKey(a))
                        .map(JobAction::word)
                        .toList(),
                refusals.entrySet().stream()
                        .collect(Collectors.toMap(
                                e -> e.getKey().word(), e -> no(e.getValue()), (a, b) -> a, TreeMap::new)));
    }

    private static JobDetail.No no(JobChoices.No why) {
        return new JobDetail.No(why.code(), why.sentence());
    }

    /** The reader may look into the job: logs, events and the like. */
    public static boolean mayLookInto(JobRow row, Reader reader) {
        return reader.may(row.team(), Role.VIEWER);
    }

    public String path(TeamId team) {
        return teams.find(team).map(t -> t.path().value()).orElseGet(team::toString);
    }

    public String username(UserId user) {
        return people.find(user).map(Person::username).orElseGet(user::toString);
    }

    private ReasonView headline(JobState state, JobRow.@Nullable Waiting waiting, Reader reader) {
        if (waiting != null) {
            return reasons.brief(waiting.binding(), reader);
        }
        return reasons.brief(state == JobState.HELD ? new Reason.Held("") : new Reason.NotYetPlanned(), reader);
    }

    private static JobSummary.@Nullable Progress progress(JobRow.@Nullable Progress progress) {
        return progress == null
                ? null
                : new JobSummary.Progress(progress.step(), progress.of(), progress.loss(), progress.at());
    }

    private static JobSummary.@Nullable Leaving leaving(JobRow row, JobRow.@Nullable Now now) {
        boolean leaves =
                row.life().state() == JobState.CHECKPOINTING || row.life().state() == JobState.STOPPING;
        JobId beneficiary = now == null ? null : now.beneficiary();
        return !leaves || now == null || beneficiary == null
                ? null
                : new JobSummary.Leaving(beneficiary.value(), now.signalDeadline(), now.savedAt() != null);
    }

    private static JobDetail.@Nullable Resume resume(StoredJob.@Nullable Resume resume) {
        return resume == null ? null : new JobDetail.Resume(resume.path(), resume.step(), resume.savedAt());
    }

    private static JobDetail.@Nullable Failure failure(StoredJob.@Nullable Failure failure) {
        return failure == null
                ? null
                : new JobDetail.Failure(
                        failure.failure().name(), failure.exitCode(), failure.message(), failure.replica());
    }
}
