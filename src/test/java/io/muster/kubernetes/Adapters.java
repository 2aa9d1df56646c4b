package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.muster.gateway.ClusterObserver;
import io.muster.model.TeamId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** The adapter as tests run it: impatient, so that what happens at intervals happens soon. */
final class Adapters {

    static final Marks MARKS = new Marks("test-installation");

    private Adapters() {}

    static KubernetesProperties settings() {
        return new KubernetesProperties(
                null,
                null,
                MARKS.installation(),
                "muster",
                "cluster.local",
                List.of("nvidia.com/gpu", "nvidia.com/mig-*"),
                List.of(),
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                Duration.ofSeconds(8),
                Duration.ZERO,
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                64);
    }

    static KubernetesCluster start(KubernetesClient client, KubernetesProperties settings, ClusterObserver observer) {
        var cluster = new KubernetesCluster(client, MARKS, settings, Clock.systemUTC(), () -> true, () -> observer);
        cluster.start();
        return cluster;
    }

    /** Gives the server's service account its rights, as an admin would. */
    static void install(KubernetesClient admin) {
        try (var manifest = Files.newInputStream(Path.of("deploy/kubernetes/rbac.yaml"))) {
            for (var object : admin.load(manifest).items()) {
                admin.resource(object).fieldManager("test").forceConflicts().serverSideApply();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The team's namespace, for tests that arrange something before the first job comes. */
    static void namespace(KubernetesClient admin, TeamId team) {
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(Marks.namespace(team))
                        .withLabels(MARKS.ofNamespace(team))
                        .endMetadata()
                        .build())
                .fieldManager("test")
                .serverSideApply();
    }
}
