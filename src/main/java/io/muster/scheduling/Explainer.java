package io.muster.scheduling;

import io.muster.model.JobId;
import io.muster.model.Remedy;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import java.util.List;

/** Finds small changes that would start a waiting job now; each is verified by planning with it. Costs some plans. */
public final class Explainer {
    private Explainer() {}

    /** Remedies for {@code job}, smallest change first; empty when none helps or the job does not wait. */
    public static List<Remedy> remedies(ClusterSnapshot snapshot, JobId job) {
        throw new UnsupportedOperationException("lands next: " + job + snapshot.asOf());
    }
}
