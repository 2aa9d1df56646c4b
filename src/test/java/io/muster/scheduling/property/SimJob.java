package io.muster.scheduling.property;

import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import io.muster.scheduling.ordering.RunTimeHistory;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.Service;
import io.muster.scheduling.snapshot.WaitingJob;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A job of the tiny simulation. */
final class SimJob {
    enum At {
        WAITING,
        PLACED,
        LEAVING,
        DONE
    }

    final JobFacts facts;
    At at = At.WAITING;
    Instant waitingSince;

    @Nullable Instant backoffUntil;

    final Set<NodeId> excluded = new HashSet<>();
    final Set<JobId> notBeside = new HashSet<>();

    int attempt = 1;
    PoolId pool = new PoolId("none");
    List<ReplicaPlacement> placements = List.of();
    Instant startedAt = Instant.EPOCH;

    @Nullable Instant runningSince;

    @Nullable Instant checkpointAt;

    boolean backfilled;

    @Nullable JobId leavingFor;

    boolean moves;

    int preemptions;
    Duration ran = Duration.ZERO;

    SimJob(JobFacts facts) {
        this.facts = facts;
        this.waitingSince = facts.submittedAt();
    }

    JobId id() {
        return facts.id();
    }

    boolean holdsGpus() {
        return at == At.PLACED || at == At.LEAVING;
    }

    WaitingJob waiting() {
        var backoff =
                backoffUntil == null ? null : new WaitingJob.Backoff(backoffUntil, FailureClass.GPU_FAULT, attempt);
        return new WaitingJob(facts, waitingSince, backoff, excluded, notBeside, service());
    }

    RunningJob running() {
        boolean leaving = at == At.LEAVING;
        var state = leaving ? JobState.CHECKPOINTING : runningSince == null ? JobState.STARTING : JobState.RUNNING;
        return new RunningJob(
                facts,
                new AttemptId(id(), attempt),
                state,
                pool,
                placements,
                startedAt,
                runningSince,
                checkpointAt,
                Duration.ofSeconds(60),
                null,
                backfilled,
                leavingFor,
                leaving,
                preemptions,
                null,
                excluded,
                service());
    }

    private Service service() {
        double nextEnd = new RunTimeHistory().cost(List.of(""), ran);
        return new Service(ran, Duration.ofMillis((long) (nextEnd * 1000)));
    }

    void start(PoolId where, List<ReplicaPlacement> on, boolean isBackfilled, Instant now) {
        at = At.PLACED;
        pool = where;
        placements = on;
        startedAt = now;
        runningSince = null;
        checkpointAt = null;
        backfilled = isBackfilled;
        leavingFor = null;
        notBeside.clear();
    }

    /** Its pods are gone: a victim waits again at its old place, anybody else is done. */
    void gone(Instant now) {
        placements = List.of();
        if (leavingFor == null) {
            at = At.DONE;
            return;
        }
        at = At.WAITING;
        waitingSince = now;
        if (!leavingFor.equals(id())) {
            notBeside.add(leavingFor);
        }
        leavingFor = null;
        attempt++;
        preemptions += moves ? 0 : 1;
        moves = false;
    }

    /** A node under it is gone: all its replicas are, and it waits again after a pause. */
    void lost(Instant now) {
        placements = List.of();
        at = At.WAITING;
        waitingSince = now;
        backoffUntil = now.plusSeconds(60);
        leavingFor = null;
        backfilled = false;
        attempt++;
    }
}
