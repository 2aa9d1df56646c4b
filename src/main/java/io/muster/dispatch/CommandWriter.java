package io.muster.dispatch;

import io.muster.dispatch.ClusterCommand.Kind;
import io.muster.job.JobDocument;
import io.muster.job.JobMoved;
import io.muster.job.JobsMoved;
import io.muster.job.LedgerAttempt;
import io.muster.job.LedgerDocuments;
import io.muster.job.LedgerReader;
import io.muster.model.AttemptId;
import io.muster.model.CheckpointWay;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import io.muster.model.JobState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Writes what a change of state asks of the cluster, in the very transaction of the change. */
@Component
class CommandWriter {
    /** For pods that trained nothing yet. */
    private static final Duration SHORT = Duration.ofSeconds(10);
    /** For the rest of a broken gang, and for pods that have saved or had their time to. */
    private static final Duration BRIEF = Duration.ofSeconds(30);
    /** What a finished pod printed last is read before it is cleaned away. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(30);

    /** Of a job whose document cannot be read. */
    private static final JobDocument.Checkpoint UNKNOWN =
            new JobDocument.Checkpoint(CheckpointWay.SIGTERM, BRIEF, null, null);

    private final CommandOutbox outbox;
    private final LedgerReader reader;
    private final LedgerDocuments documents;

    CommandWriter(CommandOutbox outbox, LedgerReader reader, LedgerDocuments documents) {
        this.outbox = outbox;
        this.reader = reader;
        this.documents = documents;
    }

    @EventListener
    void on(JobsMoved moved) {
        Map<JobId, LedgerAttempt> attempts = attempts(moved.moves());
        Map<JobId, JobDocument.Checkpoint> ways = ways(attempts.values());
        var commands = new ArrayList<CommandOutbox.Wanted>();
        for (JobMoved move : moved.moves()) {
            if (move.attempt() > 0) {
                add(move, attempts.get(move.job()), ways.getOrDefault(move.job(), UNKNOWN), commands);
            }
        }
        outbox.add(commands);
    }

    /** Those of which more must be known than that they moved. */
    private Map<JobId, LedgerAttempt> attempts(List<JobMoved> moves) {
        List<JobId> asked = moves.stream()
                .filter(m -> m.attempt() > 0)
                .filter(m -> becomes(m, JobState.CHECKPOINTING) || becomes(m, JobState.STOPPING))
                .map(JobMoved::job)
                .toList();
        var attempts = new HashMap<JobId, LedgerAttempt>();
        if (!asked.isEmpty()) {
            reader.newestAttempts(asked).forEach(a -> attempts.put(a.id().job(), a));
        }
        return attempts;
    }

    private Map<JobId, JobDocument.Checkpoint> ways(Collection<LedgerAttempt> attempts) {
        var ways = new HashMap<JobId, JobDocument.Checkpoint>();
        documents
                .of(attempts.stream()
                        .map(a -> new LedgerDocuments.Revision(a.id().job(), a.revision()))
                        .toList())
                .documents()
                .forEach((revision, document) -> ways.put(revision.job(), document.checkpoint()));
        return ways;
    }

    private static boolean becomes(JobMoved move, JobState state) {
        return move.to().state() == state && move.from().state() != state;
    }

    private static void add(
            JobMoved move, @Nullable LedgerAttempt attempt, JobDocument.Checkpoint how, List<CommandOutbox.Wanted> to) {
        var id = new AttemptId(move.job(), move.attempt());
        JobState from = move.from().state();
        switch (move.to().state()) {
            case STARTING -> to.add(new CommandOutbox.Wanted(id, Kind.START, Duration.ZERO, Duration.ZERO));
            case CHECKPOINTING -> {
                if (becomes(move, JobState.CHECKPOINTING) && how.by() != CheckpointWay.SIGTERM) {
                    to.add(new CommandOutbox.Wanted(id, Kind.SIGNAL, Duration.ZERO, Duration.ZERO));
                }
            }
            case STOPPING -> {
                if (becomes(move, JobState.STOPPING)) {
                    Duration grace = grace(Objects.requireNonNull(attempt), how, from);
                    to.add(new CommandOutbox.Wanted(id, Kind.STOP, grace, Duration.ZERO));
                }
            }
            case QUEUED, HELD -> clean(id, from, Duration.ZERO, to);
            case SUCCEEDED, FAILED, CANCELLED -> clean(id, from, LAST_WORDS, to);
            case RUNNING -> {}
        }
    }

    /** The pods ended by themselves: what is left of the attempt goes. A stopped one was told already. */
    private static void clean(AttemptId id, JobState from, Duration delay, List<CommandOutbox.Wanted> to) {
        if (from.isActive() && from != JobState.STOPPING) {
            to.add(new CommandOutbox.Wanted(id, Kind.STOP, Duration.ZERO, delay));
        }
    }

    private static Duration grace(LedgerAttempt attempt, JobDocument.Checkpoint how, JobState from) {
        Duration whole = how.grace();
        if (from == JobState.STARTING) {
            return shorter(whole, SHORT);
        }
        boolean broke = attempt.failure() != null && attempt.failure() != FailureClass.DEADLINE;
        return from == JobState.CHECKPOINTING || broke ? shorter(whole, BRIEF) : whole;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
