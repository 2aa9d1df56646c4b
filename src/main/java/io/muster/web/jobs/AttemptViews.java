package io.muster.web.jobs;

import io.muster.job.JobHistory;
import io.muster.web.view.AttemptView;

/** Attempts as REST shows them, to readers of the job's team. */
final class AttemptViews {
    private AttemptViews() {}

    static AttemptView of(JobHistory.Attempt a) {
        return new AttemptView(
                a.number(),
                a.revision(),
                a.pool().value(),
                a.gpuType().value(),
                a.level(),
                a.domain().isEmpty() ? null : String.join("/", a.domain()),
                a.backfilled(),
                a.placedAt(),
                a.runningAt(),
                a.endedAt(),
                a.failure() == null ? null : a.failure().name(),
                a.exitCode(),
                a.message(),
                a.firstFailing(),
                a.resumeStep(),
                a.resumePath(),
                a.beneficiary() == null ? null : a.beneficiary().value(),
                a.signalAt(),
                a.signalDeadline(),
                a.savedAt(),
                a.checkpointStep(),
                a.checkpointAt(),
                a.lostGpuSeconds(),
                a.replicas().stream().map(AttemptViews::of).toList());
    }

    private static AttemptView.ReplicaView of(JobHistory.Replica r) {
        return new AttemptView.ReplicaView(
                r.name(),
                r.group(),
                r.index(),
                r.node().value(),
                r.gpus(),
                r.phase(),
                r.reason(),
                r.exitCode(),
                r.message(),
                r.startedAt(),
                r.releasedAt());
    }
}
