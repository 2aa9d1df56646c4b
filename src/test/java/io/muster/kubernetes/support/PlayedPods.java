package io.muster.kubernetes.support;

import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a kubelet would report of a pod, written by hand: KWOK starts pods and lets them go, the rest is up to the test.
 */
public final class PlayedPods {

    private final KubernetesClient admin;
    private final @Nullable Path folder;

    PlayedPods(KubernetesClient admin, @Nullable Path folder) {
        this.admin = admin;
        this.folder = folder;
    }

    /** All its containers have ended with this exit code. */
    public void exit(String namespace, String name, int code, String reason) {
        edit(namespace, name, pod -> ended(pod, code, reason));
    }

    /** The pod as a whole was failed by the node: rejected at admission, evicted. */
    public void fail(String namespace, String name, String reason, String message) {
        edit(namespace, name, pod -> {
            pod.getStatus().setPhase("Failed");
            pod.getStatus().setReason(reason);
            pod.getStatus().setMessage(message);
            pod.getStatus().setContainerStatuses(List.of());
            return pod;
        });
    }

    /** The container waits, with a reason such as ImagePullBackOff. */
    public void waits(String namespace, String name, String reason, String message) {
        edit(namespace, name, pod -> {
            pod.getStatus().setPhase("Pending");
            for (var container : pod.getStatus().getContainerStatuses()) {
                container.setReady(false);
                container.setState(new ContainerStateBuilder()
                        .withNewWaiting()
                        .withReason(reason)
                        .withMessage(message)
                        .endWaiting()
                        .build());
            }
            return pod;
        });
    }

    /** As a kubelet would write the pod's status. */
    public void edit(String namespace, String name, UnaryOperator<Pod> change) {
        Conflicts.retried(
                () -> admin.pods().inNamespace(namespace).withName(name).editStatus(change));
    }

    private static Pod ended(Pod pod, int code, String reason) {
        var now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        pod.getStatus().setPhase(code == 0 ? "Succeeded" : "Failed");
        for (var container : pod.getStatus().getContainerStatuses()) {
            var running = container.getState().getRunning();
            container.setReady(false);
            container.setState(new ContainerStateBuilder()
                    .withNewTerminated()
                    .withExitCode(code)
                    .withReason(reason)
                    .withStartedAt(running == null ? now : running.getStartedAt())
                    .withFinishedAt(now)
                    .endTerminated()
                    .build());
        }
        return pod;
    }

    /** Whether logs can be played here: KWOK must read this machine's files. */
    public boolean canLog() {
        return folder != null;
    }

    /** Opens an empty log for a pod; may be called before the pod exists. */
    public Path openLog(String namespace, String name) {
        if (folder == null) {
            throw new IllegalStateException("logs cannot be played on this cluster");
        }
        try {
            var file = folder.resolve("log-" + namespace + "-" + name);
            Files.writeString(file, "");
            var spec = Map.of("logs", List.of(Map.of("logsFile", file.toString(), "follow", true)));
            admin.resource(new GenericKubernetesResourceBuilder()
                            .withApiVersion("kwok.x-k8s.io/v1alpha1")
                            .withKind("Logs")
                            .withNewMetadata()
                            .withNamespace(namespace)
                            .withName(name)
                            .endMetadata()
                            .addToAdditionalProperties("spec", spec)
                            .build())
                    .create();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds a line, as a container runtime writes it. */
    public void log(Path file, String line) {
        try {
            Files.writeString(file, Instant.now() + " stdout F " + line + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void markReady(KubernetesClient admin, Node node) {
        Conflicts.retried(() -> admin.nodes()
                .withName(node.getMetadata().getName())
                .editStatus(n -> {
                    n.getStatus()
                            .setConditions(List.of(new NodeConditionBuilder()
                                    .withType("Ready")
                                    .withStatus("True")
                                    .withReason("KubeletReady")
                                    .withLastHeartbeatTime(Instant.now()
                                            .truncatedTo(ChronoUnit.SECONDS)
                                            .toString())
                                    .withLastTransitionTime(Instant.now()
                                            .truncatedTo(ChronoUnit.SECONDS)
                                            .toString())
                                    .build()));
                    return n;
                }));
    }
}
