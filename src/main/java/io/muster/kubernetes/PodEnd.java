package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Pod;
import io.muster.model.FailureClass;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names why a pod ended, or why a wait of its container cannot end well. The pod's reason decides first, the exit code
 * second.
 */
final class PodEnd {

    private static final Set<String> NODE_WENT = Set.of("NodeLost", "NodeShutdown", "Shutdown", "Terminated");
    private static final Set<String> NOT_ADMITTED = Set.of(
            "UnexpectedAdmissionError", "NodeAffinity", "NodeName", "TopologyAffinityError", "Preempting", "Preempted");
    private static final List<String> OWN_LIMIT =
            List.of("exceeds the limit", "exceeded its local ephemeral storage limit", "exceeds the total limit");
    private static final List<String> NO_SUCH_IMAGE = List.of(
            "not found",
            "manifest unknown",
            "does not exist",
            "unauthorized",
            "denied",
            "authorization failed",
            "invalid reference");
    private static final List<String> GPU_TROUBLE =
            List.of("nvidia-container-cli", "nvidia-container-runtime", "nvml", "cdi device", "driver error");
    private static final int KILLED = 137;
    private static final int TERMINATED = 143;

    private PodEnd() {}

    /** Of a pod in phase Failed. */
    static FailureClass of(Pod pod, @Nullable ContainerStateTerminated container) {
        var byReason = byPodReason(pod.getStatus().getReason(), pod.getStatus().getMessage());
        if (byReason != null) {
            return byReason;
        }
        if (container != null) {
            return byContainer(container);
        }
        return isDisrupted(pod) ? FailureClass.NODE_LOST : FailureClass.UNKNOWN;
    }

    private static @Nullable FailureClass byPodReason(@Nullable String reason, @Nullable String message) {
        if (reason == null) {
            return null;
        }
        if (reason.equals("Evicted")) {
            return says(message, OWN_LIMIT) ? FailureClass.USER_ERROR : FailureClass.NODE_LOST;
        }
        if (reason.equals("DeadlineExceeded")) {
            return FailureClass.DEADLINE;
        }
        if (NODE_WENT.contains(reason)) {
            return FailureClass.NODE_LOST;
        }
        return NOT_ADMITTED.contains(reason) || reason.startsWith("OutOf") ? FailureClass.ADMISSION : null;
    }

    private static FailureClass byContainer(ContainerStateTerminated container) {
        var reason = container.getReason() == null ? "" : container.getReason();
        int exitCode = container.getExitCode() == null ? -1 : container.getExitCode();
        return switch (reason) {
            case "OOMKilled" -> FailureClass.OUT_OF_MEMORY;
            case "ContainerStatusUnknown" -> FailureClass.NODE_LOST;
            case "StartError", "ContainerCannotRun" ->
                says(container.getMessage(), GPU_TROUBLE) ? FailureClass.GPU_FAULT : FailureClass.USER_ERROR;
            // Somebody sent that signal, and it was not the user's program.
            default -> exitCode == KILLED || exitCode == TERMINATED ? FailureClass.UNKNOWN : FailureClass.USER_ERROR;
        };
    }

    /** Taken away by the node's taints, by pod GC or by an eviction. */
    private static boolean isDisrupted(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(c -> "DisruptionTarget".equals(c.getType()) && "True".equals(c.getStatus()));
    }

    /** Of a container that waits; null when waiting may still help. */
    static @Nullable FailureClass ofWait(@Nullable String reason, @Nullable String message) {
        if (reason == null) {
            return null;
        }
        return switch (reason) {
            case "InvalidImageName", "ErrImageNeverPull" -> FailureClass.IMAGE;
            case "ErrImagePull", "ImagePullBackOff" -> says(message, NO_SUCH_IMAGE) ? FailureClass.IMAGE : null;
            case "CreateContainerConfigError" -> says(message, List.of("runasnonroot")) ? FailureClass.IMAGE : null;
            default -> null;
        };
    }

    private static boolean says(@Nullable String message, List<String> words) {
        if (message == null) {
            return false;
        }
        var text = message.toLowerCase(Locale.ROOT);
        return words.stream().anyMatch(text::contains);
    }
}
