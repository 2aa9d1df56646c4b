package io.muster.simulation;

import io.muster.model.FailureClass;
import io.muster.simulation.PodTimes.End;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How the pods of one attempt end, given why it halts. */
final class Endings {
    /** From a replica's crash to the others' noticing that they talk to nobody. */
    private static final Duration PEERS_NOTICE = Duration.ofSeconds(3);

    /** From a pod's end to its object's being gone. */
    private static final Duration REMOVAL = Duration.ofMillis(200);

    private static final int SIGTERM = 143;
    private static final int SIGKILL = 137;

    private final VirtualAttempt attempt;
    private final Behaviour behaviour;
    private final @Nullable Halt halt;
    private final @Nullable Instant savedAt;

    Endings(VirtualAttempt attempt, Behaviour behaviour, @Nullable Halt halt, @Nullable Instant savedAt) {
        this.attempt = attempt;
        this.behaviour = behaviour;
        this.halt = halt;
        this.savedAt = savedAt;
    }

    /** How a pod that runs from {@code running} on ends, or null: it does not, as things stand. */
    @Nullable End of(int index, Instant running) {
        VirtualPod pod = attempt.pods().get(index);
        End end = halt == null ? beforeTraining(running) : byHalt(halt, index);
        if (pod.order() != null && isAfter(end, pod.order().at())) {
            end = End.exit(pod.order().at(), pod.order().exitCode(), null);
        }
        if (attempt.deletion() != null && isAfter(end, attempt.deletion().killAt())) {
            end = End.stopped(attempt.deletion().killAt(), SIGKILL, "killed when its grace was over");
        }
        return pod.loss() != null && isAfter(end, pod.loss().at()) ? lost(pod, pod.loss()) : end;
    }

    @Nullable End ofOneThatNeverRan(VirtualPod pod, boolean unwanted) {
        if (unwanted) {
            return new End(
                    attempt.createdAt().plus(Timeline.BIND),
                    "UnexpectedAdmissionError",
                    null,
                    FailureClass.ADMISSION,
                    "the device plugin of node " + pod.node() + " did not allocate its GPUs");
        }
        return pod.loss() == null ? null : lost(pod, pod.loss());
    }

    /** When the pod's object is gone: it was deleted and has ended, or its node's object went and took it along. */
    @Nullable Instant gone(VirtualPod pod, boolean ran, @Nullable End end) {
        Instant deleted = deletionComplete(pod, ran, end);
        VirtualPod.Loss loss = pod.loss();
        if (loss == null || !loss.nodeDeleted() || loss.provenAt() == null) {
            return deleted;
        }
        Instant collected = loss.provenAt().plus(REMOVAL);
        return deleted != null && deleted.isBefore(collected) ? deleted : collected;
    }

    private @Nullable Instant deletionComplete(VirtualPod pod, boolean ran, @Nullable End end) {
        if (attempt.deletion() == null) {
            return null;
        }
        Instant deleted = attempt.deletion().at();
        if (end == null) {
            // Nothing of it ever ran, so nothing has to end; but a node that cannot be asked confirms nothing.
            return ran || pod.loss() != null ? null : deleted.plus(REMOVAL);
        }
        return (end.at().isAfter(deleted) ? end.at() : deleted).plus(REMOVAL);
    }

    private @Nullable End beforeTraining(Instant running) {
        if (behaviour.complaint() != null) {
            return End.exit(running.plus(Timeline.EXIT), behaviour.exitCode(), behaviour.complaint());
        }
        return behaviour.ignoresSigterm() ? null : terminated();
    }

    private @Nullable End byHalt(Halt halt, int index) {
        return switch (halt.cause()) {
            case COMPLETED -> End.exit(halt.at(), behaviour.exitCode(), null);
            case CRASHED -> crashed(halt, index);
            case SIGNALLED -> savedAt == null ? null : End.exit(savedAt.plus(Timeline.EXIT), 0, "saved as asked");
            case TERMINATED -> savedAt == null ? terminatedWithoutSave() : saved(savedAt);
            case ORDERED -> index == halt.replica() ? null : peersOfOrdered(halt);
            // A collective that waits for a peer takes no SIGTERM handler's save, but it can be stopped.
            case LOST -> behaviour.ignoresSigterm() ? null : terminated();
            case HUNG, KILLED -> null;
        };
    }

    private End crashed(Halt halt, int index) {
        Fault fault = behaviour.fault();
        if (fault == null || index != halt.replica()) {
            return peerDied(halt);
        }
        return switch (fault.kind()) {
            case OOM -> new End(halt.at(), "OOMKilled", SIGKILL, FailureClass.OUT_OF_MEMORY, "ran out of memory");
            case GPU -> new End(halt.at(), "Error", 1, FailureClass.GPU_FAULT, "GPU 3 has fallen off the bus (Xid 79)");
            case ERROR, HANG, IMAGE, ADMISSION -> End.exit(halt.at(), fault.exitCode(), null);
        };
    }

    /** A replica that ended by hand and well leaves the others waiting; one that failed takes them along. */
    private @Nullable End peersOfOrdered(Halt halt) {
        VirtualPod.Order order = attempt.pods().get(halt.replica()).order();
        return order == null || order.exitCode() == 0 ? terminated() : peerDied(halt);
    }

    private static End peerDied(Halt halt) {
        return End.exit(halt.at().plus(PEERS_NOTICE), 1, "lost its connection to replica " + halt.replica());
    }

    private static End saved(Instant savedAt) {
        return new End(savedAt.plus(Timeline.EXIT), "Completed", 0, null, "saved and stopped on SIGTERM");
    }

    /** With a path it was saving and is killed in the middle of it; without one it just ends. */
    private @Nullable End terminatedWithoutSave() {
        return attempt.checkpointPath() == null ? terminated() : null;
    }

    private @Nullable End terminated() {
        return attempt.deletion() == null
                ? null
                : End.stopped(attempt.deletion().at().plus(Timeline.EXIT), SIGTERM, "stopped on SIGTERM");
    }

    private static @Nullable End lost(VirtualPod pod, VirtualPod.Loss loss) {
        return loss.provenAt() == null
                ? null
                : new End(
                        loss.provenAt(),
                        "NodeLost",
                        null,
                        FailureClass.NODE_LOST,
                        "node " + pod.node() + (loss.nodeDeleted() ? " is gone" : " restarted"));
    }

    private static boolean isAfter(@Nullable End end, Instant at) {
        return end == null || end.at().isAfter(at);
    }
}
