package io.muster.scheduling.snapshot;

import io.muster.model.FailureClass;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A job in QUEUED.
 *
 * @param waitingSince when it last entered QUEUED (its place in order goes by {@code submittedAt})
 * @param backoff not before this, after a failure, or null; when its image could not be pulled it stays known afterwards
 * @param excludedNodes nodes where it failed and does not go again
 * @param notBeside beneficiaries it was evicted for and that have not started yet: it must not take their GPUs
 * @param service what it had in earlier attempts
 */
public record WaitingJob(
        JobFacts facts,
        Instant waitingSince,
        @Nullable Backoff backoff,
        Set<NodeId> excludedNodes,
        Set<JobId> notBeside,
        Service service) {
    public WaitingJob {
        excludedNodes = Set.copyOf(excludedNodes);
        notBeside = Set.copyOf(notBeside);
    }

    /** A job that had nothing yet. */
    public WaitingJob(
            JobFacts facts,
            Instant waitingSince,
            @Nullable Backoff backoff,
            Set<NodeId> excludedNodes,
            Set<JobId> notBeside) {
        this(facts, waitingSince, backoff, excludedNodes, notBeside, Service.NONE);
    }

    /** Not before {@code until}, since attempt {@code attempt} ended as {@code after}. */
    public record Backoff(Instant until, FailureClass after, int attempt) {}

    public JobId id() {
        return facts.id();
    }

    /** True while it waits out a backoff. */
    public boolean isResting(Instant asOf) {
        return backoff != null && backoff.until().isAfter(asOf);
    }

    /** Until then it waits for the level that it prefers; null when it prefers none. */
    public @Nullable Instant patientUntil() {
        return facts.topology().prefer() == null
                ? null
                : waitingSince.plus(facts.topology().patience());
    }

    /** True when its image could not be pulled and has not been seen to pull since. */
    public boolean imageUnseen() {
        return backoff != null && backoff.after() == FailureClass.IMAGE;
    }
}
