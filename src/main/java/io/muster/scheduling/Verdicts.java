package io.muster.scheduling;

import io.muster.model.JobId;
import io.muster.model.Reason;
import io.muster.scheduling.explain.Verdict;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.topology.Partition;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What jobs that do not start were given instead. */
final class Verdicts {
    private final Map<JobId, Verdict> byJob = new HashMap<>();
    private final Instant asOf;

    Verdicts(Instant asOf) {
        this.asOf = asOf;
    }

    Map<JobId, Verdict> byJob() {
        return byJob;
    }

    /** Notes that the job waits until {@code leaving} have saved and gone. */
    void promised(Claimant claimant, Partition partition, List<JobId> victims, List<Occupant> leaving) {
        promised(claimant, partition, victims, latestGrace(leaving));
    }

    private Instant latestGrace(List<Occupant> leaving) {
        return leaving.stream()
                .map(o -> asOf.plus(o.facts().grace()))
                .max(Instant::compareTo)
                .orElse(asOf);
    }

    /** Notes that the job waits for victims. */
    void promised(Claimant claimant, Partition partition, List<JobId> victims, @Nullable Instant latest) {
        var reason = new Reason.WaitingForVictims(partition.poolId(), victims, claimant.gpus(), latest);
        byJob.put(claimant.id(), new Verdict(reason, latest));
    }

    /** Notes that the job's start is reserved for then; null: it only waits. */
    void blocked(Claimant claimant, @Nullable Instant startAt) {
        if (startAt == null) {
            byJob.remove(claimant.id());
        } else {
            byJob.put(claimant.id(), new Verdict(null, startAt));
        }
    }
}
