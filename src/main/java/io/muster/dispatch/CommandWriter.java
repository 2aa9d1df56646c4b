package io.muster.dispatch;

import io.muster.job.JobDocument;
import io.muster.job.JobMoved;
import io.muster.job.LedgerAttempt;
import io.muster.job.LedgerDocuments;
import io.muster.job.LedgerReader;
import io.muster.model.AttemptId;
import io.muster.model.CheckpointWay;
import io.muster.model.FailureClass;
import io.muster.model.JobState;
import java.time.Duration;
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

    private final CommandOutbox outbox;
    private final LedgerReader reader;
    private final LedgerDocuments documents;

    CommandWriter(CommandOutbox outbox, LedgerReader reader, LedgerDocuments documents) {
        this.outbox = outbox;
        this.reader = reader;
        this.documents = documents;
    }

    @EventListener
    void on(JobMoved moved) {
        if (moved.attempt() == 0) {
            return;
        }
        var attempt = new AttemptId(moved.job(), moved.attempt());
        JobState from = moved.from().state();
        switch (moved.to().state()) {
            case STARTING -> outbox.add(attempt, ClusterCommand.Kind.START, Duration.ZERO, Duration.ZERO);
            case CHECKPOINTING -> signal(attempt, from);
            case STOPPING -> stop(attempt, from);
            case QUEUED, HELD -> clean(attempt, from, Duration.ZERO);
            case SUCCEEDED, FAILED, CANCELLED -> clean(attempt, from, LAST_WORDS);
            case RUNNING -> {}
        }
    }

    private void signal(AttemptId id, JobState from) {
        LedgerAttempt attempt = reader.attempt(id).orElseThrow();
        if (from != JobState.CHECKPOINTING && how(attempt).by() != CheckpointWay.SIGTERM) {
            outbox.add(id, ClusterCommand.Kind.SIGNAL, Duration.ZERO, Duration.ZERO);
        }
    }

    private void stop(AttemptId id, JobState from) {
        if (from != JobState.STOPPING) {
            LedgerAttempt attempt = reader.attempt(id).orElseThrow();
            outbox.add(id, ClusterCommand.Kind.STOP, grace(attempt, from), Duration.ZERO);
        }
    }

    /** The pods ended by themselves: what is left of the attempt goes. A stopped one was told already. */
    private void clean(AttemptId id, JobState from, Duration delay) {
        if (from.isActive() && from != JobState.STOPPING) {
            outbox.add(id, ClusterCommand.Kind.STOP, Duration.ZERO, delay);
        }
    }

    private Duration grace(LedgerAttempt attempt, JobState from) {
        Duration whole = how(attempt).grace();
        if (from == JobState.STARTING) {
            return shorter(whole, SHORT);
        }
        boolean broke = attempt.failure() != null && attempt.failure() != FailureClass.DEADLINE;
        return from == JobState.CHECKPOINTING || broke ? shorter(whole, BRIEF) : whole;
    }

    private JobDocument.Checkpoint how(LedgerAttempt attempt) {
        return documents.of(attempt.id().job(), attempt.revision()).checkpoint();
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
