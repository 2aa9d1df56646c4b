package io.muster.job;

import io.muster.lifecycle.Life;
import io.muster.lifecycle.Lifecycle;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.lifecycle.Transition;
import io.muster.model.CheckpointWay;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.policy.PolicyBook;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/** The ledger in Postgres. */
@Component
class JdbcJobLedger implements JobLedger {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcJobLedger.class);

    private final NamedParameterJdbcTemplate jdbc;
    private final TransactionOperations transactions;
    private final LedgerReader reader;
    private final LedgerDocuments documents;
    private final CheckpointLedger checkpoints;
    private final EventLog events;
    private final PolicyBook policy;
    private final ApplicationEventPublisher publisher;
    private final Clock clock;

    JdbcJobLedger(
            NamedParameterJdbcTemplate jdbc,
            TransactionOperations transactions,
            LedgerReader reader,
            LedgerDocuments documents,
            CheckpointLedger checkpoints,
            EventLog events,
            PolicyBook policy,
            ApplicationEventPublisher publisher,
            Clock clock) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.reader = reader;
        this.documents = documents;
        this.checkpoints = checkpoints;
        this.events = events;
        this.policy = policy;
        this.publisher = publisher;
        this.clock = clock;
    }

    @Override
    public Applied apply(JobId job, LifecycleEvent event, Cause cause) {
        return Objects.requireNonNull(
                applyAll(List.of(new Change(job, null, event, cause, null))).get(job));
    }

    @Override
    public Map<JobId, Applied> applyAll(List<Change> changes) {
        var byJob = new TreeMap<JobId, Change>();
        for (Change change : changes) {
            if (byJob.put(change.job(), change) != null) {
                throw new IllegalArgumentException("job " + change.job() + " is named twice");
            }
        }
        Map<JobId, Applied> applied = Objects.requireNonNull(transactions.execute(status -> applyLocked(byJob)));
        var inOrder = new LinkedHashMap<JobId, Applied>();
        changes.forEach(c -> inOrder.put(c.job(), Objects.requireNonNull(applied.get(c.job()))));
        return inOrder;
    }

    private Map<JobId, Applied> applyLocked(TreeMap<JobId, Change> changes) {
        Map<JobId, Applied> answers = new HashMap<>();
        changes.keySet().forEach(job -> answers.put(job, new Applied.NoSuchJob()));
        List<LedgerJob> rows = reader.lock(changes.keySet());
        Map<JobId, LedgerAttempt> attempts = attempts(rows);
        Map<JobId, JobDocument.Checkpoint> ways = ways(attempts, changes);
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var consequences = new Consequences(now, policy.current().values());
        var moves = new ArrayList<Move>();
        for (LedgerJob row : rows) {
            Change change = Objects.requireNonNull(changes.get(row.id()));
            LedgerAttempt attempt = attempts.get(row.id());
            JobDocument.@Nullable Checkpoint how = ways.get(row.id());
            Applied answer = decide(row, attempt, how, change);
            answers.put(row.id(), answer);
            if (answer instanceof Applied.Moved moved) {
                moves.add(move(row, attempt, how, change, moved, consequences));
            }
        }
        if (!moves.isEmpty()) {
            write(moves, now);
        }
        return answers;
    }

    /** One change that takes place. */
    private record Move(
            Change change,
            Life from,
            JobDraft job,
            @Nullable AttemptDraft attempt) {
        boolean endsAttempt() {
            return from.state().isActive() && !job.life.state().isActive();
        }

        /** What was said of why it waits holds no longer, also when it waits for another reason now. */
        boolean outdatesReasons() {
            return isWaiting(from.state()) && from.state() != job.life.state();
        }

        private static boolean isWaiting(JobState state) {
            return state == JobState.QUEUED || state == JobState.HELD;
        }
    }

    private static Applied decide(
            LedgerJob row, @Nullable LedgerAttempt attempt, JobDocument.@Nullable Checkpoint how, Change change) {
        if (change.version() != null && change.version() != row.version()) {
            return new Applied.Refused(row.life());
        }
        LifecycleEvent event = inItsOwnWay(row, attempt, how, change.event());
        if (event == null) {
            return new Applied.Refused(row.life());
        }
        return switch (Lifecycle.next(row.life(), event)) {
            case Transition.Moved m -> new Applied.Moved(row.life(), m.to());
            case Transition.Ignored i -> new Applied.Unchanged(row.life());
            case Transition.Refused r -> new Applied.Refused(row.life());
        };
    }

    /** A request to save as the job can be asked; null: it cannot do that. */
    private static @Nullable LifecycleEvent inItsOwnWay(
            LedgerJob row,
            @Nullable LedgerAttempt attempt,
            JobDocument.@Nullable Checkpoint how,
            LifecycleEvent event) {
        if (!(event instanceof LifecycleEvent.RequestCheckpoint request)
                || row.life().state() != JobState.RUNNING
                || attempt == null) {
            return event;
        }
        boolean canSignal = how != null && how.by() != CheckpointWay.SIGTERM && how.path() != null;
        if (canSignal) {
            return event;
        }
        return request.then() == Life.After.RUNNING ? null : new LifecycleEvent.Stop(request.then());
    }

    private Move move(
            LedgerJob row,
            @Nullable LedgerAttempt attempt,
            JobDocument.@Nullable Checkpoint how,
            Change change,
            Applied.Moved moved,
            Consequences consequences) {
        var job = new JobDraft(row);
        AttemptDraft draft = attempt == null ? null : new AttemptDraft(attempt);
        consequences.follow(job, draft, how, change.event(), moved.to(), change.cause(), change.beneficiary());
        return new Move(change, moved.from(), job, draft);
    }

    private Map<JobId, LedgerAttempt> attempts(List<LedgerJob> rows) {
        var attempts = new HashMap<JobId, LedgerAttempt>();
        List<JobId> active = rows.stream()
                .filter(r -> r.life().state().isActive())
                .map(LedgerJob::id)
                .toList();
        if (!active.isEmpty()) {
            reader.newestAttempts(active).forEach(a -> attempts.put(a.id().job(), a));
        }
        return attempts;
    }

    /** How jobs save that are asked to; one whose document cannot be read saves in no way that is known. */
    private Map<JobId, JobDocument.Checkpoint> ways(Map<JobId, LedgerAttempt> attempts, Map<JobId, Change> changes) {
        var revisions = new ArrayList<LedgerDocuments.Revision>();
        attempts.forEach((job, attempt) -> {
            if (Objects.requireNonNull(changes.get(job)).event() instanceof LifecycleEvent.RequestCheckpoint) {
                revisions.add(new LedgerDocuments.Revision(job, attempt.revision()));
            }
        });
        var ways = new HashMap<JobId, JobDocument.Checkpoint>();
        documents.of(revisions).documents().forEach((r, document) -> ways.put(r.job(), document.checkpoint()));
        return ways;
    }

    private void write(List<Move> moves, Instant now) {
        if (JobDraft.write(moves.stream().map(Move::job).toList(), jdbc) != moves.size()) {
            throw new OptimisticLockingFailureException("a locked job changed under the lock");
        }
        AttemptDraft.write(
                moves.stream().flatMap(m -> Stream.ofNullable(m.attempt())).toList(), jdbc);
        events.appendMoves(now, moves.stream().map(JdbcJobLedger::event).toList());
        forgetExplanations(moves.stream()
                .filter(Move::outdatesReasons)
                .map(JdbcJobLedger::id)
                .toList());
        checkpoints.resumeFromNewest(
                moves.stream().filter(Move::endsAttempt).map(JdbcJobLedger::id).toList());
        List<JobMoved> moved = moves.stream().map(JdbcJobLedger::moved).toList();
        publisher.publishEvent(new JobsMoved(moved));
        moved.forEach(this::publish);
    }

    private static JobId id(Move move) {
        return move.job().was.id();
    }

    private static EventLog.Move event(Move move) {
        var more = new HashMap<String, Object>();
        if (move.change().beneficiary() != null) {
            more.put("beneficiary", move.change().beneficiary().value());
        }
        Life.After after = move.job().life.after();
        if (after != null) {
            more.put("then", after.name());
        }
        if (move.attempt() != null && move.attempt().lostGpuSeconds > 0) {
            more.put("lostGpuSeconds", move.attempt().lostGpuSeconds);
        }
        return new EventLog.Move(
                id(move),
                move.job().was.team(),
                move.job().attempt,
                move.from().state(),
                move.job().life.state(),
                move.change().cause(),
                more);
    }

    private void forgetExplanations(List<JobId> jobs) {
        if (!jobs.isEmpty()) {
            jdbc.update(
                    "delete from explanation where job_id = any(:jobs)",
                    Map.of("jobs", jobs.stream().map(JobId::value).toArray(Long[]::new)));
        }
    }

    private static JobMoved moved(Move move) {
        JobDraft job = move.job();
        return new JobMoved(
                id(move),
                job.was.team(),
                job.attempt,
                move.from(),
                job.life,
                move.change().cause());
    }

    private void publish(JobMoved moved) {
        try (var id = MDC.putCloseable("job", moved.job().toString());
                var attempt = MDC.putCloseable("attempt", Integer.toString(moved.attempt()))) {
            LOG.debug(
                    "Job {}: {} to {} ({})",
                    moved.job(),
                    moved.from().state(),
                    moved.to().state(),
                    moved.cause().why());
            publisher.publishEvent(moved);
        }
    }
}
