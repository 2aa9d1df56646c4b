package io.muster.gateway;

import io.muster.model.AttemptId;
import java.time.Duration;
import java.util.List;
import java.util.SequencedMap;

/**
 * Does what a plan decided, on a cluster. Every call is repeatable: a second call with the same arguments changes
 * nothing and answers as the first. No call waits for pods: what became of them is told to the {@link ClusterObserver}.
 */
public interface ClusterGateway {

    /**
     * Creates the objects of an attempt: every replica pinned to its node. A replica that already exists is adopted.
     * {@link CommandOutcome.Refused} means that nothing of the attempt is left behind, or that {@link #stop} clears it.
     */
    CommandOutcome start(AttemptSpec attempt);

    /**
     * Tells a running attempt to save; called for {@code FILE} and {@code API} ({@code SIGTERM} is stop). By the API the
     * program asks Muster itself, so that a real cluster has nothing to do; the virtual one plays the program too.
     */
    CommandOutcome signal(AttemptId attempt, CheckpointSignal signal);

    /**
     * Deletes the pods of an attempt with a grace period (SIGTERM first) and whatever belongs to it once they are gone.
     * An attempt of which nothing exists is Done, and {@link ClusterFact.ReplicaGone} or a full list will say so.
     */
    CommandOutcome stop(AttemptId attempt, Duration grace);

    /**
     * Creates the objects of several attempts, each as by {@link #start} and whatever becomes of the others.
     *
     * @return the outcome of each, in the order of {@code attempts}
     */
    default List<CommandOutcome> start(List<AttemptSpec> attempts) {
        return attempts.stream().map(this::start).toList();
    }

    /** Deletes the pods of several attempts, each as by {@link #stop(AttemptId, Duration)}; none is named twice. */
    default List<CommandOutcome> stop(SequencedMap<AttemptId, Duration> graces) {
        return graces.entrySet().stream()
                .map(e -> stop(e.getKey(), e.getValue()))
                .toList();
    }

    /** How many commands one call had best carry; 1: calls side by side are quicker than one for several. */
    default int bulk() {
        return 1;
    }

    /** How the connection to the cluster is. */
    ClusterHealth health();
}
