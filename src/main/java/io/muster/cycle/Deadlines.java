package io.muster.cycle;

import io.muster.inventory.Node;
import io.muster.job.AttemptFailures;
import io.muster.job.Cause;
import io.muster.job.JobDocument;
import io.muster.job.JobEvents;
import io.muster.job.JobLedger;
import io.muster.job.LedgerAttempt;
import io.muster.job.LedgerJob;
import io.muster.job.LedgerReplica;
import io.muster.lifecycle.Life;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.NodeId;
import io.muster.scheduling.snapshot.ReservationView;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * What time itself decides, before each plan: saves that took too long, gangs that did not come up, promises that nobody
 * used, nodes that are to be emptied. Each is a transaction of its own, begun by the fence.
 */
@Component
class Deadlines {
    private final TransactionOperations transactions;
    private final Leadership leadership;
    private final JobLedger ledger;
    private final AttemptFailures failures;
    private final Reservations reservations;
    private final JobEvents events;

    Deadlines(
            TransactionOperations transactions,
            Leadership leadership,
            JobLedger ledger,
            AttemptFailures failures,
            Reservations reservations,
            JobEvents events) {
        this.transactions = transactions;
        this.leadership = leadership;
        this.ledger = ledger;
        this.failures = failures;
        this.reservations = reservations;
        this.events = events;
    }

    /** @return true when something changed, so that the picture is old */
    boolean keep(World world, Surroundings around, Instant now) {
        boolean changed = false;
        for (JobId id : world.timed()) {
            LedgerJob job = world.job(id);
            LedgerAttempt attempt = world.attempt(id);
            if (job != null && attempt != null) {
                changed |= saveTookTooLong(job, attempt, now) || startTookTooLong(job, attempt, world, around, now);
            }
        }
        changed |= emptyNodes(world, around, now);
        for (Promise promise : world.promises()) {
            changed |= keepPromise(promise, world, around, now);
        }
        return changed;
    }

    private boolean saveTookTooLong(LedgerJob job, LedgerAttempt attempt, Instant now) {
        boolean late = job.life().state() == JobState.CHECKPOINTING
                && attempt.signal() != null
                && !attempt.signal().deadline().isAfter(now);
        return late
                && moved(() -> ledger.apply(
                        job.id(),
                        new LifecycleEvent.CheckpointDeadlinePassed(),
                        Cause.system("checkpoint-deadline-passed")));
    }

    /** The whole gang is rolled back; nodes on which a replica does not run are at fault. */
    private boolean startTookTooLong(
            LedgerJob job, LedgerAttempt attempt, World world, Surroundings around, Instant now) {
        Instant deadline = attempt.placedAt().plus(around.policy().startDeadline());
        if (job.life().state() != JobState.STARTING || deadline.isAfter(now)) {
            return false;
        }
        Set<NodeId> slow = new TreeSet<>();
        LedgerReplica first = null;
        for (LedgerReplica replica : world.held(attempt.id())) {
            if (replica.stage() != LedgerReplica.Stage.RUNNING) {
                slow.add(replica.node());
                first = first == null ? replica : first;
            }
        }
        var breakage = new AttemptFailures.Breakage(
                FailureClass.START_TIMEOUT,
                null,
                "not all replicas ran within " + around.policy().startDeadline().toSeconds() + " s",
                first == null ? null : first.id(),
                slow);
        return moved(() -> failures.broke(attempt.id(), breakage));
    }

    private boolean emptyNodes(World world, Surroundings around, Instant now) {
        boolean changed = false;
        Map<NodeId, Node> emptied = new HashMap<>();
        for (Node node : around.nodes()) {
            if (node.cordon() != null && node.cordon().kind() != Node.Cordon.Kind.CORDON) {
                emptied.put(node.id(), node);
            }
        }
        if (emptied.isEmpty()) {
            return false;
        }
        for (JobId id : world.active()) {
            LedgerJob job = world.job(id);
            LedgerAttempt attempt = world.attempt(id);
            if (job == null || attempt == null || job.life().state() == JobState.STOPPING) {
                continue;
            }
            for (LedgerReplica replica : world.held(attempt.id())) {
                Node node = emptied.get(replica.node());
                if (node != null) {
                    changed |= leave(job, node, world.document(job.id()), now);
                    break;
                }
            }
        }
        return changed;
    }

    /** Through its checkpoint where it has one; work that cannot be saved may go on until the deadline. */
    private boolean leave(LedgerJob job, Node node, @Nullable JobDocument document, Instant now) {
        Node.Cordon cordon = node.cordon();
        if (cordon == null) {
            return false;
        }
        boolean due = cordon.deadline() != null && !cordon.deadline().isAfter(now);
        boolean saves = document != null && document.checkpoint().path() != null;
        boolean asked =
                job.life().state() == JobState.CHECKPOINTING && job.life().after() != Life.After.RUNNING;
        if (!due && (asked || !saves && job.life().state() == JobState.RUNNING)) {
            return false;
        }
        LifecycleEvent event = due && asked
                ? new LifecycleEvent.Stop(Life.After.QUEUED)
                : new LifecycleEvent.RequestCheckpoint(Life.After.QUEUED);
        Cause cause = Cause.system("drained", Map.of("node", node.id().value(), "reason", cordon.why()));
        return moved(() -> ledger.apply(job.id(), event, cause));
    }

    private boolean keepPromise(Promise promise, World world, Surroundings around, Instant now) {
        ReservationView view = promise.view();
        LedgerJob job = world.job(view.job());
        if (job == null || job.life().state() != JobState.QUEUED) {
            return !movesOn(promise, job) && inFence(() -> reservations.release(view.job()));
        }
        if (view.expiresAt() != null && !view.expiresAt().isAfter(now)) {
            return inFence(() -> expire(view.job()));
        }
        boolean justFree = view.kind() != ReservationView.Kind.HEAD
                && promise.freeSince() == null
                && promise.victims().stream().noneMatch(v -> isLeaving(v, view.job(), world));
        return justFree
                && inFence(() -> {
                    Instant expires = now.plus(around.policy().reservationExpiry());
                    reservations.free(view.id(), now, expires);
                    return true;
                });
    }

    /** A job that leaves for a place of its own, elsewhere or with another number of replicas, keeps it meanwhile. */
    private static boolean movesOn(Promise promise, @Nullable LedgerJob job) {
        return promise.view().kind() != ReservationView.Kind.HEAD
                && job != null
                && job.life().after() == Life.After.QUEUED;
    }

    private boolean expire(JobId job) {
        boolean released = reservations.release(job);
        if (released) {
            events.append(job, 0, "reservation-ended", Cause.system("reservation-expired"));
        }
        return released;
    }

    /** A victim that has left may run again elsewhere already. */
    private static boolean isLeaving(JobId victim, JobId beneficiary, World world) {
        LedgerJob job = world.job(victim);
        LedgerAttempt attempt = world.attempt(victim);
        return job != null
                && job.life().state().isActive()
                && attempt != null
                && beneficiary.equals(attempt.beneficiary());
    }

    private boolean moved(Supplier<JobLedger.Applied> change) {
        return inFence(() -> change.get() instanceof JobLedger.Applied.Moved);
    }

    private boolean inFence(Supplier<Boolean> change) {
        return Boolean.TRUE.equals(transactions.execute(status -> {
            leadership.fence();
            return change.get();
        }));
    }
}
