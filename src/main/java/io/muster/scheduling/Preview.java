package io.muster.scheduling;

import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;

/** Answers, before submission, what would happen to a job: the same core, planned with the job among those that wait. */
public final class Preview {
    private Preview() {}

    /** Plans with {@code job} added; its id must not be one of the snapshot's. */
    public static PreviewResult of(ClusterSnapshot snapshot, JobFacts job) {
        throw new UnsupportedOperationException("lands next: " + job.id() + snapshot.asOf());
    }
}
