package io.muster.cycle;

import io.muster.job.AttemptLedger;
import io.muster.job.Cause;
import io.muster.job.JobEvents;
import io.muster.job.JobLedger;
import io.muster.job.JobLedger.Applied;
import io.muster.job.JobLedger.Change;
import io.muster.job.LedgerAttempt;
import io.muster.job.LedgerJob;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.plan.SetAside;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Carries a plan into the ledger: one transaction, begun by the fence. A job that changed since the plan looked at it
 * keeps what it has; the rest of the plan goes on.
 */
@Component
class PlanCommit {
    private static final Logger LOG = LoggerFactory.getLogger(PlanCommit.class);

    private final TransactionOperations transactions;
    private final Leadership leadership;
    private final JobLedger ledger;
    private final AttemptLedger attempts;
    private final Reservations reservations;
    private final ReclaimBook reclaims;
    private final ExplanationBook explanations;
    private final ShareBook shares;
    private final JobEvents events;
    private final CycleMeters meters;

    PlanCommit(
            TransactionOperations transactions,
            Leadership leadership,
            JobLedger ledger,
            AttemptLedger attempts,
            Reservations reservations,
            ReclaimBook reclaims,
            ExplanationBook explanations,
            ShareBook shares,
            JobEvents events,
            CycleMeters meters) {
        this.transactions = transactions;
        this.leadership = leadership;
        this.ledger = ledger;
        this.attempts = attempts;
        this.reservations = reservations;
        this.reclaims = reclaims;
        this.explanations = explanations;
        this.shares = shares;
        this.events = events;
        this.meters = meters;
    }

    /** What was carried out. */
    record Done(int started, int preempted, int others) {
        boolean isSomething() {
            return started + preempted + others > 0;
        }
    }

    /** @throws StaleEpochException when another server leads; then nothing was carried out */
    Done commit(SchedulingPlan plan, World world, Instant asOf) {
        try {
            return Objects.requireNonNull(transactions.execute(status -> commitInside(plan, world, asOf)));
        } catch (RuntimeException e) {
            // What was thought to be written is not.
            explanations.forget();
            shares.forget();
            throw e;
        }
    }

    private Done commitInside(SchedulingPlan plan, World world, Instant asOf) {
        leadership.fence();
        List<Change> changes = PlannedChanges.of(plan, world);
        for (SetAside aside : plan.setAside()) {
            addSetAside(aside, world, changes);
        }
        Map<JobId, Applied> applied = changes.isEmpty() ? Map.of() : ledger.applyAll(changes);
        Set<JobId> moved = moved(applied);
        openAttempts(plan, world, moved, asOf);
        reclaims.note(reclaimed(plan, world, moved), asOf);
        int kept = keepPromises(plan, world, moved, asOf);
        explanations.write(plan.explained(), world, started(plan, moved), asOf);
        shares.write(plan.shares(), asOf);
        return done(plan, moved, kept);
    }

    /** A job that makes the core throw is held, so that a person looks at it; one that runs already goes on. */
    private void addSetAside(SetAside aside, World world, List<Change> changes) {
        meters.setAside();
        LedgerJob job = world.job(aside.job());
        LOG.error("Job {} makes the core fail and is set aside: {}", aside.job(), aside.error());
        if (job != null && job.life().state() == JobState.QUEUED) {
            changes.add(new Change(
                    job.id(), job.version(), new LifecycleEvent.Hold(), SetAsides.because(aside.error()), null));
        }
    }

    private Set<JobId> moved(Map<JobId, Applied> applied) {
        var moved = new HashSet<JobId>();
        applied.forEach((job, answer) -> {
            if (answer instanceof Applied.Moved) {
                moved.add(job);
            } else {
                meters.dropped();
                LOG.info("Job {} changed since the plan looked at it; its decision is dropped", job);
            }
        });
        return moved;
    }

    private void openAttempts(SchedulingPlan plan, World world, Set<JobId> moved, Instant asOf) {
        var openings = new ArrayList<AttemptLedger.Opening>();
        for (Decision decision : plan.decisions()) {
            if (decision instanceof Decision.Start d && moved.contains(d.job())) {
                int number = Objects.requireNonNull(world.job(d.job())).attempt() + 1;
                openings.add(new AttemptLedger.Opening(
                        new AttemptId(d.job(), number),
                        d.pool(),
                        d.gpuType(),
                        d.level(),
                        d.domain(),
                        d.backfilled(),
                        d.placements()));
            }
        }
        if (!openings.isEmpty()) {
            attempts.open(openings, asOf);
        }
    }

    private static List<ReclaimBook.Reclaim> reclaimed(SchedulingPlan plan, World world, Set<JobId> moved) {
        var reclaimed = new ArrayList<ReclaimBook.Reclaim>();
        for (Decision decision : plan.decisions()) {
            if (decision instanceof Decision.RequestCheckpoint d
                    && moved.contains(d.job())
                    && ReclaimBook.counts(d)
                    && world.attempt(d.job()) instanceof LedgerAttempt attempt) {
                reclaimed.add(new ReclaimBook.Reclaim(d, attempt.pool()));
            }
        }
        return reclaimed;
    }

    private int keepPromises(SchedulingPlan plan, World world, Set<JobId> moved, Instant asOf) {
        var present = new HashMap<JobId, Promise>();
        world.promises().forEach(p -> present.put(p.view().job(), p));
        int kept = 0;
        for (Decision decision : plan.decisions()) {
            if (decision instanceof Decision.Start d && moved.contains(d.job()) && present.containsKey(d.job())) {
                reservations.release(d.job());
                kept++;
            } else if (decision instanceof Decision.Reserve d && world.job(d.job()) != null && mayKeep(d, moved)) {
                kept += reserve(d, present.get(d.job()), asOf);
            } else if (decision instanceof Decision.Unreserve d) {
                kept += unreserve(d);
            }
        }
        return kept;
    }

    /** A job that could not be asked to move keeps its old place and needs no new one. */
    private static boolean mayKeep(Decision.Reserve d, Set<JobId> moved) {
        return d.kind() != Decision.Reserve.Kind.MOVE || moved.contains(d.job());
    }

    private int reserve(Decision.Reserve d, @Nullable Promise present, Instant asOf) {
        Reservations.Kept kept = reservations.reserve(d, present, asOf);
        if (kept == Reservations.Kept.SAME) {
            return 0;
        }
        var data = new TreeMap<String, Object>();
        data.put("pool", d.pool().value());
        data.put(
                "gpus", d.placements().stream().mapToInt(p -> p.amount().gpus()).sum());
        data.put("nodes", PlannedChanges.nodes(d.placements()));
        data.put("victims", d.victims().stream().map(JobId::value).toList());
        if (d.startAt() != null) {
            data.put("startAt", d.startAt().toString());
        }
        String kind = kept == Reservations.Kept.NEW ? "reservation-made" : "reservation-changed";
        events.append(d.job(), 0, kind, Cause.system(d.kind().name().toLowerCase(Locale.ROOT), data));
        return 1;
    }

    private int unreserve(Decision.Unreserve d) {
        if (!reservations.release(d.job())) {
            return 0;
        }
        events.append(d.job(), 0, "reservation-ended", Cause.system(d.why()));
        return 1;
    }

    private static Set<JobId> started(SchedulingPlan plan, Set<JobId> moved) {
        var started = new HashSet<JobId>();
        for (Decision decision : plan.decisions()) {
            if (decision instanceof Decision.Start && moved.contains(decision.job())) {
                started.add(decision.job());
            }
        }
        return started;
    }

    private Done done(SchedulingPlan plan, Set<JobId> moved, int kept) {
        int started = 0;
        int preempted = 0;
        for (Decision decision : plan.decisions()) {
            if (!moved.contains(decision.job())) {
                continue;
            }
            switch (decision) {
                case Decision.Start d -> {
                    started++;
                    meters.decided("start");
                }
                case Decision.RequestCheckpoint d -> {
                    preempted++;
                    meters.decided(PlannedChanges.word(d.cause()));
                }
                case Decision.Stop d -> meters.decided("walltime");
                case Decision.Reserve d -> {}
                case Decision.Unreserve d -> {}
            }
        }
        return new Done(started, preempted, moved.size() - started - preempted + kept);
    }
}
