package io.muster.job;

import io.muster.database.SqlInstant;
import io.muster.lifecycle.Life;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import io.muster.model.JobState;
import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import io.muster.policy.PolicyBook;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/** Turns a broken attempt into what policy says follows: again, later, elsewhere, or failed. */
@Component
public class AttemptFailures {
    /** More than this would leave out most of a small pool; the oldest are forgiven. */
    private static final int MOST_EXCLUDED = 16;

    private final JdbcClient jdbc;
    private final TransactionOperations transactions;
    private final LedgerReader reader;
    private final LedgerDocuments documents;
    private final JobLedger ledger;
    private final PolicyBook policy;
    private final Clock clock;

    AttemptFailures(
            JdbcClient jdbc,
            TransactionOperations transactions,
            LedgerReader reader,
            LedgerDocuments documents,
            JobLedger ledger,
            PolicyBook policy,
            Clock clock) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.reader = reader;
        this.documents = documents;
        this.ledger = ledger;
        this.policy = policy;
        this.clock = clock;
    }

    /**
     * How an attempt broke.
     *
     * @param first the replica that failed first, or null: none in particular
     * @param nodes nodes at fault, where the job does not go again if the class says so
     */
    public record Breakage(
            FailureClass failure,
            @Nullable Integer exitCode,
            @Nullable String message,
            @Nullable ReplicaId first,
            Set<NodeId> nodes) {
        public Breakage {
            nodes = Set.copyOf(nodes);
        }
    }

    /**
     * Records how an attempt broke and moves its job on. Once a job stops or was asked to save and stop, any end is the
     * stop that was asked for: nothing is recorded and no retry is used.
     */
    public JobLedger.Applied broke(AttemptId attempt, Breakage breakage) {
        return Objects.requireNonNull(transactions.execute(status -> brokeLocked(attempt, breakage)));
    }

    private JobLedger.Applied brokeLocked(AttemptId attempt, Breakage breakage) {
        List<LedgerJob> found = reader.lock(Set.of(attempt.job()));
        if (found.isEmpty()) {
            return new JobLedger.Applied.NoSuchJob();
        }
        LedgerJob job = found.getFirst();
        if (job.attempt() != attempt.number() || !job.life().state().isActive()) {
            return new JobLedger.Applied.Unchanged(job.life());
        }
        if (job.life().state() == JobState.STOPPING || isLeaving(job.life())) {
            return ledger.apply(job.id(), new LifecycleEvent.GangBroken(Life.After.QUEUED), cause(breakage));
        }
        // Without its document nobody knows how often it was to be tried: then not again.
        int retries = documents
                .find(job.id(), reader.attempt(attempt).orElseThrow().revision())
                .map(JobDocument::userRetries)
                .orElse(0);
        RetryPolicy.Verdict verdict = RetryPolicy.decide(
                breakage.failure(),
                retries,
                job.past().userRetriesUsed(),
                sameBefore(attempt, breakage.failure()),
                policy.current().values());
        record(attempt, breakage);
        charge(job, breakage, verdict);
        return ledger.apply(job.id(), new LifecycleEvent.GangBroken(verdict.then()), cause(breakage));
    }

    private static boolean isLeaving(Life life) {
        return life.state() == JobState.CHECKPOINTING && life.after() != Life.After.RUNNING;
    }

    private static Cause cause(Breakage breakage) {
        var data = new TreeMap<String, Object>();
        data.put("failure", breakage.failure().name());
        if (breakage.exitCode() != null) {
            data.put("exitCode", breakage.exitCode());
        }
        if (breakage.message() != null) {
            data.put("message", breakage.message());
        }
        if (breakage.first() != null) {
            data.put("replica", breakage.first().podName());
        }
        if (!breakage.nodes().isEmpty()) {
            data.put(
                    "nodes",
                    breakage.nodes().stream().map(NodeId::value).sorted().toList());
        }
        return Cause.system(breakage.failure().name().toLowerCase(Locale.ROOT).replace('_', '-'), data);
    }

    private int sameBefore(AttemptId attempt, FailureClass failure) {
        return jdbc.sql("""
                        select count(*) from attempt
                        where job_id = :job and number < :number and failure = :failure
                        """)
                .param("job", attempt.job().value())
                .param("number", attempt.number())
                .param("failure", failure.name())
                .query(Integer.class)
                .single();
    }

    private void record(AttemptId attempt, Breakage breakage) {
        jdbc.sql("""
                        update attempt set failure = :failure, exit_code = :exit, message = :message,
                            first_failing = :first
                        where job_id = :job and number = :number
                        """)
                .param("failure", breakage.failure().name())
                .param("exit", breakage.exitCode())
                .param("message", breakage.message())
                .param(
                        "first",
                        breakage.first() == null ? null : breakage.first().podName())
                .param("job", attempt.job().value())
                .param("number", attempt.number())
                .update();
    }

    private void charge(LedgerJob job, Breakage breakage, RetryPolicy.Verdict verdict) {
        boolean again = verdict.then() == Life.After.QUEUED;
        boolean waits = again && !verdict.backoff().isZero();
        Instant until = clock.instant().plus(verdict.backoff());
        jdbc.sql("""
                        update job set user_retries_used = user_retries_used + :user,
                            infrastructure_retries_used = infrastructure_retries_used + :infrastructure,
                            backoff_until = :until, backoff_after = :after, excluded_nodes = :excluded
                        where id = :job
                        """)
                .param("user", again && verdict.budget() == RetryPolicy.Budget.USER ? 1 : 0)
                .param("infrastructure", again && verdict.budget() == RetryPolicy.Budget.INFRASTRUCTURE ? 1 : 0)
                .param("until", waits ? SqlInstant.of(until) : null)
                .param("after", waits ? breakage.failure().name() : null)
                .param("excluded", excluded(job, breakage, verdict))
                .param("job", job.id().value())
                .update();
    }

    private static String[] excluded(LedgerJob job, Breakage breakage, RetryPolicy.Verdict verdict) {
        var nodes = new ArrayList<>(job.past().excludedNodes());
        if (verdict.avoidNode()) {
            nodes.removeAll(breakage.nodes());
            breakage.nodes().stream().sorted().forEach(nodes::add);
        }
        return nodes.subList(Math.max(0, nodes.size() - MOST_EXCLUDED), nodes.size()).stream()
                .map(NodeId::value)
                .toArray(String[]::new);
    }
}
