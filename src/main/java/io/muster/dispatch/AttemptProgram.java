package io.muster.dispatch;

import io.muster.gateway.CheckpointSignal;
import io.muster.gateway.ClusterFact;
import io.muster.gateway.ClusterObserver;
import io.muster.job.JobDocument;
import io.muster.job.JobMoved;
import io.muster.job.LedgerAttempt;
import io.muster.job.LedgerDocuments;
import io.muster.job.LedgerJob;
import io.muster.job.LedgerReader;
import io.muster.model.AttemptId;
import io.muster.model.JobState;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * What the program of an attempt may ask and tell, with the attempt's own token. An attempt that is over, or was followed
 * by another, is told so.
 */
@Component
public class AttemptProgram {
    /** Other servers change jobs too, and wake nobody here. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final LedgerReader reader;
    private final LedgerDocuments documents;
    private final ClusterObserver observer;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition signalled = lock.newCondition();
    private long asked;

    AttemptProgram(LedgerReader reader, LedgerDocuments documents, FactsObserver observer, Clock clock) {
        this.reader = reader;
        this.documents = documents;
        this.observer = observer;
        this.clock = clock;
    }

    /** The answer to a wait for signals. */
    public sealed interface Awaited {
        record Signal(CheckpointSignal signal) implements Awaited {}

        /** Nothing came in the time given: ask again. */
        record Nothing() implements Awaited {}

        /** The attempt is over. */
        record Over() implements Awaited {}
    }

    /** The answer to a report. */
    public sealed interface Reported {
        record Kept() implements Reported {}

        record Over() implements Reported {}

        /** @param below where checkpoints must lie, or null: the job declared no path */
        record WrongPath(@Nullable String below) implements Reported {}
    }

    /**
     * Waits for a request to save.
     *
     * @param known the signal that the program knows already, or null
     * @param atMost real time
     */
    public Awaited awaitSignal(AttemptId attempt, @Nullable UUID known, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (true) {
            long before = asked();
            Optional<LedgerAttempt> live = live(attempt);
            if (live.isEmpty()) {
                return new Awaited.Over();
            }
            LedgerAttempt.Signal signal = live.get().signal();
            if (signal != null && !signal.id().equals(known)) {
                return new Awaited.Signal(new CheckpointSignal(signal.id(), signal.thenStop(), signal.deadline()));
            }
            long left = end - System.nanoTime();
            if (left <= 0) {
                return new Awaited.Nothing();
            }
            awaitChange(before, Math.min(left, LOOK_AGAIN.toNanos()));
        }
    }

    /** The program saved; {@code signal} null: by itself. */
    public Reported reportCheckpoint(
            AttemptId attempt, @Nullable UUID signal, long step, String path, @Nullable Long bytes) {
        Optional<LedgerAttempt> live = live(attempt);
        if (live.isEmpty()) {
            return new Reported.Over();
        }
        JobDocument.Checkpoint how =
                documents.of(attempt.job(), live.get().revision()).checkpoint();
        if (!liesBelow(path, how.path())) {
            return new Reported.WrongPath(how.path());
        }
        observer.observe(List.of(new ClusterFact.CheckpointSaved(attempt, signal, step, path, bytes, clock.instant())));
        return new Reported.Kept();
    }

    public Reported reportProgress(AttemptId attempt, long step, @Nullable Long of, @Nullable Double loss) {
        return report(attempt, new ClusterFact.ProgressMade(attempt, step, of, loss, clock.instant()));
    }

    /** The program is done, whatever it was asked meanwhile. */
    public Reported reportFinished(AttemptId attempt) {
        return report(attempt, new ClusterFact.ProgramFinished(attempt, clock.instant()));
    }

    private Reported report(AttemptId attempt, ClusterFact fact) {
        if (live(attempt).isEmpty()) {
            return new Reported.Over();
        }
        observer.observe(List.of(fact));
        return new Reported.Kept();
    }

    /** Only what outlives the pod is a checkpoint. */
    private static boolean liesBelow(String path, @Nullable String folder) {
        if (folder == null || path.contains("/../") || path.endsWith("/..")) {
            return false;
        }
        String below = folder.endsWith("/") ? folder : folder + "/";
        return path.equals(folder) || path.startsWith(below);
    }

    private Optional<LedgerAttempt> live(AttemptId id) {
        boolean current = reader.job(id.job()).filter(job -> isCurrent(job, id)).isPresent();
        return current ? reader.attempt(id) : Optional.empty();
    }

    private static boolean isCurrent(LedgerJob job, AttemptId id) {
        return job.attempt() == id.number() && job.life().state().isActive();
    }

    private long asked() {
        lock.lock();
        try {
            return asked;
        } finally {
            lock.unlock();
        }
    }

    private void awaitChange(long before, long nanos) throws InterruptedException {
        lock.lock();
        try {
            if (asked == before) {
                signalled.await(nanos, TimeUnit.NANOSECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT, fallbackExecution = true)
    void on(JobMoved moved) {
        boolean matters = moved.to().state() == JobState.CHECKPOINTING
                || !moved.to().state().isActive();
        if (!matters) {
            return;
        }
        lock.lock();
        try {
            asked++;
            signalled.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
