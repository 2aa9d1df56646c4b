package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.muster.gateway.ClusterFact.ReplicaSeen;
import io.muster.gateway.ReplicaPhase;
import io.muster.model.FailureClass;
import io.muster.model.NodeId;
import io.muster.model.ReplicaId;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a pod of ours says. The same pod always gives the same fact, whose time is that of the change and not of its
 * being seen.
 */
record ReplicaFacts(Duration bindTimeout, Function<Pod, Optional<String>> troubles) {

    private static final int LONGEST_MESSAGE = 1000;

    ReplicaSeen seen(ReplicaId replica, Pod pod, Instant now) {
        var node = node(pod);
        return switch (pod.getStatus().getPhase() == null
                ? "Pending"
                : pod.getStatus().getPhase()) {
            case "Succeeded" -> succeeded(replica, pod, node);
            case "Failed" -> failed(replica, pod, node);
            default -> {
                if (pod.getMetadata().getDeletionTimestamp() != null) {
                    yield plain(replica, ReplicaPhase.TERMINATING, node, null, null, deletionAsked(pod));
                }
                yield isRunning(pod)
                        ? plain(replica, ReplicaPhase.RUNNING, node, null, null, started(pod))
                        : waiting(replica, pod, node, now);
            }
        };
    }

    private static ReplicaSeen succeeded(ReplicaId replica, Pod pod, NodeId node) {
        var end = terminated(pod);
        return new ReplicaSeen(
                replica,
                ReplicaPhase.SUCCEEDED,
                node,
                end == null ? null : end.getReason(),
                0,
                null,
                null,
                ended(pod, end));
    }

    private static ReplicaSeen failed(ReplicaId replica, Pod pod, NodeId node) {
        var end = terminated(pod);
        var reason = pod.getStatus().getReason();
        var message = pod.getStatus().getMessage();
        return new ReplicaSeen(
                replica,
                ReplicaPhase.FAILED,
                node,
                reason == null && end != null ? end.getReason() : reason,
                end == null ? null : end.getExitCode(),
                PodEnd.of(pod, end),
                shortened(message == null && end != null ? end.getMessage() : message),
                ended(pod, end));
    }

    /** Not running yet: waits for its node, or, once it has one, for its image and volumes. */
    private ReplicaSeen waiting(ReplicaId replica, Pod pod, NodeId node, Instant now) {
        var scheduled = condition(pod, "PodScheduled");
        if (pod.getSpec().getNodeName() == null) {
            var reason = scheduled.map(PodCondition::getReason).orElse(null);
            var message = scheduled.map(PodCondition::getMessage).orElse(null);
            var created = time(pod.getMetadata().getCreationTimestamp());
            var tooLong = created.plus(bindTimeout).isBefore(now);
            return new ReplicaSeen(
                    replica,
                    ReplicaPhase.PENDING,
                    node,
                    reason,
                    null,
                    tooLong ? FailureClass.ADMISSION : null,
                    shortened(message),
                    created);
        }
        var wait = state(pod).map(ContainerState::getWaiting).orElse(null);
        var at = scheduled
                .map(PodCondition::getLastTransitionTime)
                .orElse(pod.getMetadata().getCreationTimestamp());
        return new ReplicaSeen(
                replica,
                ReplicaPhase.PULLING,
                node,
                wait == null ? null : wait.getReason(),
                null,
                wait == null ? null : PodEnd.ofWait(wait.getReason(), wait.getMessage()),
                shortened(
                        wait != null && wait.getMessage() != null
                                ? wait.getMessage()
                                : troubles.apply(pod).orElse(null)),
                time(at));
    }

    private static ReplicaSeen plain(
            ReplicaId replica,
            ReplicaPhase phase,
            NodeId node,
            @Nullable String reason,
            @Nullable String message,
            Instant at) {
        return new ReplicaSeen(replica, phase, node, reason, null, null, message, at);
    }

    /** Where it is, or is meant to be. */
    static NodeId node(Pod pod) {
        var bound = pod.getSpec().getNodeName();
        if (bound != null) {
            return new NodeId(bound);
        }
        var meant = Marks.meantFor(pod);
        return meant == null ? new NodeId("") : meant;
    }

    private static Optional<ContainerState> state(Pod pod) {
        return pod.getStatus().getContainerStatuses().stream()
                .filter(status -> PodFactory.CONTAINER.equals(status.getName()))
                .findFirst()
                .map(status -> status.getState());
    }

    /** Bound, and neither running nor ended nor about to go. */
    static boolean waitsOnItsNode(Pod pod) {
        return "Pending".equals(pod.getStatus().getPhase())
                && pod.getSpec().getNodeName() != null
                && pod.getMetadata().getDeletionTimestamp() == null;
    }

    static boolean isRunning(Pod pod) {
        return state(pod).map(ContainerState::getRunning).isPresent();
    }

    static @Nullable ContainerStateTerminated terminated(Pod pod) {
        return state(pod).map(ContainerState::getTerminated).orElse(null);
    }

    private static Optional<PodCondition> condition(Pod pod, String type) {
        return pod.getStatus().getConditions().stream()
                .filter(condition -> type.equals(condition.getType()))
                .findFirst();
    }

    private static Instant started(Pod pod) {
        return state(pod)
                .map(ContainerState::getRunning)
                .map(running -> running.getStartedAt())
                .map(ReplicaFacts::time)
                .orElseGet(() -> time(pod.getMetadata().getCreationTimestamp()));
    }

    private static Instant ended(Pod pod, @Nullable ContainerStateTerminated end) {
        if (end != null && end.getFinishedAt() != null) {
            return time(end.getFinishedAt());
        }
        return condition(pod, "Ready")
                .map(PodCondition::getLastTransitionTime)
                .or(() -> Optional.ofNullable(pod.getStatus().getStartTime()))
                .map(ReplicaFacts::time)
                .orElseGet(() -> time(pod.getMetadata().getCreationTimestamp()));
    }

    /** Kubernetes notes when the grace ends. */
    private static Instant deletionAsked(Pod pod) {
        var grace = pod.getMetadata().getDeletionGracePeriodSeconds();
        return time(pod.getMetadata().getDeletionTimestamp()).minusSeconds(grace == null ? 0 : grace);
    }

    private static Instant time(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            throw new IllegalStateException("the API server gave a time that is none: " + text, e);
        }
    }

    private static @Nullable String shortened(@Nullable String message) {
        return message == null || message.length() <= LONGEST_MESSAGE
                ? message
                : message.substring(0, LONGEST_MESSAGE) + "…";
    }
}
