package io.muster.job;

import io.muster.lifecycle.Life;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.model.CheckpointWay;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.policy.PolicyValues;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a change of state means for the rows of a job and its attempt: whose fault an end was, what work is lost, when it
 * may start again. Pure, but for the signal's id.
 */
final class Consequences {
    /** A file in the pod changes up to a minute after its annotation. */
    private static final Duration FILE_DELAY = Duration.ofMinutes(1);

    /** As people read it under the failure of a job whose time was up. */
    private static final String WALLTIME_USED_UP = "The walltime is used up.";

    private static final Duration DAY = Duration.ofDays(1);

    /** The cause of a request to go on elsewhere. */
    private static final String MOVE = "move";

    /** The cause of a start says where. */
    private static final String POOL = "pool";

    private final Instant now;
    private final PolicyValues policy;

    Consequences(Instant now, PolicyValues policy) {
        this.now = now;
        this.policy = policy;
    }

    /**
     * Works {@code event}, which leads to {@code to}, into the rows.
     *
     * @param attempt the newest attempt, or null before the first
     * @param how how that attempt saves; needed when the job is asked to
     */
    void follow(
            JobDraft job,
            @Nullable AttemptDraft attempt,
            JobDocument.@Nullable Checkpoint how,
            LifecycleEvent event,
            Life to,
            Cause cause,
            @Nullable JobId beneficiary) {
        Life from = job.life;
        job.life = to;
        if (attempt != null && beneficiary != null) {
            attempt.beneficiary = beneficiary;
            attempt.moves = cause.why().equals(MOVE);
        }
        if (to.after() == Life.After.HELD && from.after() != Life.After.HELD) {
            job.holdWhy = reason(cause);
        }
        switch (to.state()) {
            case STARTING -> start(job, cause);
            case RUNNING -> run(attempt);
            case CHECKPOINTING -> save(Objects.requireNonNull(attempt), how, event, to);
            case STOPPING -> stop(job, Objects.requireNonNull(attempt), from, event, to);
            case QUEUED -> await(job, attempt, from, to);
            case HELD -> hold(job, attempt, from, to, cause);
            case SUCCEEDED, FAILED, CANCELLED -> end(job, attempt, from, to);
        }
    }

    private void start(JobDraft job, Cause cause) {
        job.attempt = job.was.attempt() + 1;
        job.pool = cause.data().get(POOL) instanceof String pool ? pool : null;
        job.firstStartedAt = job.firstStartedAt == null ? now : job.firstStartedAt;
        job.backoffUntil = null;
        job.backoffAfter = null;
        job.holdWhy = null;
        job.notBeside.clear();
    }

    private void run(@Nullable AttemptDraft attempt) {
        if (attempt == null) {
            return;
        }
        attempt.runningAt = attempt.runningAt == null ? now : attempt.runningAt;
        // It was asked to save and go on: the signal has done its work.
        attempt.signal = null;
    }

    private void save(AttemptDraft attempt, JobDocument.@Nullable Checkpoint how, LifecycleEvent event, Life to) {
        boolean thenStop = to.after() != Life.After.RUNNING;
        var asked = attempt.signal;
        if (asked != null) {
            // A firmer wish while it saves: the same save serves it.
            attempt.signal = new LedgerAttempt.Signal(asked.id(), asked.at(), asked.deadline(), thenStop);
            return;
        }
        blameWalltime(attempt, event);
        Duration grace = Objects.requireNonNull(how).grace();
        Duration late = how.by() == CheckpointWay.FILE ? FILE_DELAY : Duration.ZERO;
        attempt.signal =
                new LedgerAttempt.Signal(UUID.randomUUID(), now, now.plus(grace).plus(late), thenStop);
    }

    private void stop(JobDraft job, AttemptDraft attempt, Life from, LifecycleEvent event, Life to) {
        blameWalltime(attempt, event);
        if (from.state() != JobState.STOPPING) {
            attempt.lostGpuSeconds = losesWork(attempt, to) ? workAtRisk(attempt) : 0;
        }
    }

    /** Nothing else stops a job to fail it: the program itself is at fault otherwise, and says so by its exit. */
    private static void blameWalltime(AttemptDraft attempt, LifecycleEvent event) {
        boolean walltime = event instanceof LifecycleEvent.RequestCheckpoint r && r.then() == Life.After.FAILED
                || event instanceof LifecycleEvent.Stop s && s.then() == Life.After.FAILED;
        if (walltime) {
            attempt.failure = FailureClass.DEADLINE;
            attempt.message = WALLTIME_USED_UP;
        }
    }

    private static boolean losesWork(AttemptDraft attempt, Life to) {
        return switch (Objects.requireNonNull(to.after())) {
            case QUEUED, HELD -> true;
            case FAILED -> attempt.failure != null && attempt.failure.isInfrastructure();
            case RUNNING, SUCCEEDED, CANCELLED -> false;
        };
    }

    /** GPU-seconds since the newest checkpoint, or since it ran. */
    private long workAtRisk(AttemptDraft attempt) {
        Instant since = attempt.was.lastCheckpointAt() != null ? attempt.was.lastCheckpointAt() : attempt.runningAt;
        if (since == null || since.isAfter(now)) {
            return 0;
        }
        return Math.multiplyExact(Duration.between(since, now).toSeconds(), (long) attempt.was.gpus());
    }

    private void await(JobDraft job, @Nullable AttemptDraft attempt, Life from, Life to) {
        job.waitingSince = now;
        job.holdWhy = null;
        if (attempt != null && from.state().isActive()) {
            endAttempt(job, attempt, from, to);
            if (attempt.beneficiary != null) {
                yielded(job, attempt.beneficiary, attempt.moves);
            }
        }
    }

    /** One that moves was not preempted: it goes on at once. */
    private void yielded(JobDraft job, JobId beneficiary, boolean moves) {
        if (!moves) {
            preempted(job);
        }
        // One that stops in order to grow yields to nobody.
        if (!beneficiary.equals(job.was.id()) && !job.notBeside.contains(beneficiary)) {
            job.notBeside.add(beneficiary);
        }
    }

    private void preempted(JobDraft job) {
        job.preemptedAt.removeIf(at -> at.isBefore(now.minus(DAY)));
        job.preemptedAt.add(now);
        if (job.preemptedAt.size() >= policy.preemptionsPerDay()) {
            job.protectedUntil = now.plus(policy.protectFor());
        }
    }

    private void hold(JobDraft job, @Nullable AttemptDraft attempt, Life from, Life to, Cause cause) {
        // One that had to stop first was told why when that began; its pods being gone is no reason.
        if (from.after() != Life.After.HELD || job.holdWhy == null) {
            job.holdWhy = reason(cause);
        }
        job.waitingSince = now;
        if (attempt != null && from.state().isActive()) {
            endAttempt(job, attempt, from, to);
        }
    }

    private static @Nullable String reason(Cause cause) {
        return cause.data().get("reason") instanceof String reason ? reason : cause.why();
    }

    private void end(JobDraft job, @Nullable AttemptDraft attempt, Life from, Life to) {
        job.endedAt = now;
        job.holdWhy = null;
        job.backoffUntil = null;
        job.backoffAfter = null;
        if (attempt != null && from.state().isActive()) {
            endAttempt(job, attempt, from, to);
            if (to.state() == JobState.FAILED) {
                job.failure = attempt.failure;
                job.failureMessage = attempt.message;
            }
        }
    }

    private void endAttempt(JobDraft job, AttemptDraft attempt, Life from, Life to) {
        attempt.endedAt = now;
        if (attempt.runningAt != null && attempt.runningAt.isBefore(now)) {
            long ran = Duration.between(attempt.runningAt, now).toSeconds();
            job.ranSeconds += ran;
            job.moreGpuSeconds += Math.multiplyExact(ran, (long) attempt.was.gpus());
        }
        boolean vanished = from.state() != JobState.STOPPING && to.state() == JobState.QUEUED;
        if (vanished) {
            attempt.lostGpuSeconds = workAtRisk(attempt);
        }
        switch (to.state()) {
            // The program's own word, or every exit code 0, stands above whatever was suspected before.
            case SUCCEEDED -> attempt.failure = FailureClass.SUCCESS;
            case CANCELLED -> attempt.failure = attempt.failure == null ? FailureClass.CANCELLED : attempt.failure;
            case FAILED -> attempt.failure = attempt.failure == null ? FailureClass.UNKNOWN : attempt.failure;
            case QUEUED, HELD -> attempt.failure = attempt.failure == null ? FailureClass.PREEMPTED : attempt.failure;
            case STARTING, RUNNING, CHECKPOINTING, STOPPING ->
                throw new IllegalStateException("no end of an attempt: " + to);
        }
    }
}
