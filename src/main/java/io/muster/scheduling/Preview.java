package io.muster.scheduling;

import io.muster.model.JobId;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.Service;
import io.muster.scheduling.snapshot.WaitingJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Answers, before submission, what would happen to a job: the same core, planned with the job among those that wait. */
public final class Preview {
    private Preview() {}

    /** Plans with {@code job} added; its id must not be one of the snapshot's. */
    public static PreviewResult of(ClusterSnapshot snapshot, JobFacts job) {
        return of(snapshot, job, Service.NONE);
    }

    /** The same; {@code service} says what is known of its kind. */
    public static PreviewResult of(ClusterSnapshot snapshot, JobFacts job, Service service) {
        return of(snapshot, job, service, new Scheduler());
    }

    /** The same by a core that remembers what it read. */
    public static PreviewResult of(ClusterSnapshot snapshot, JobFacts job, Service service, Scheduler scheduler) {
        var waiting = new ArrayList<>(snapshot.waiting());
        waiting.add(new WaitingJob(job, snapshot.asOf(), null, Set.of(), Set.of(), service));
        return read(scheduler.plan(snapshot.withWaiting(waiting)), job.id());
    }

    private static PreviewResult read(SchedulingPlan plan, JobId job) {
        var own = plan.decisions().stream().filter(d -> d.job().equals(job)).toList();
        var victims = plan.decisions().stream()
                .filter(d -> d instanceof Decision.RequestCheckpoint r
                        && r.beneficiary().equals(job))
                .map(Decision::job)
                .toList();
        for (var decision : own) {
            if (decision instanceof Decision.Start) {
                return new PreviewResult(true, decision, List.of(), 0, victims, null, null);
            }
        }
        var explanation = plan.explained().of(job).orElseThrow();
        return new PreviewResult(
                false,
                own.stream()
                        .filter(Decision.Reserve.class::isInstance)
                        .findFirst()
                        .orElse(null),
                explanation.reasons(),
                explanation.place(),
                victims,
                explanation.expectedStart(),
                explanation.latestStart());
    }
}
