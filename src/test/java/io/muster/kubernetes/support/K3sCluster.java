package io.muster.kubernetes.support;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.testcontainers.k3s.K3sContainer;
import org.testcontainers.utility.DockerImageName;

/** K3s in a container of Testcontainers, which also removes it; KWOK runs as a pod inside. */
final class K3sCluster implements AutoCloseable {

    private static final DockerImageName IMAGE = DockerImageName.parse("rancher/k3s:v1.34.4-k3s1");

    private final K3sContainer container;

    private K3sCluster(K3sContainer container) {
        this.container = container;
    }

    static K3sCluster start() throws IOException {
        var container = new K3sContainer(IMAGE);
        container.start();
        var cluster = new K3sCluster(container);
        try (var client = new KubernetesClientBuilder()
                        .withConfig(cluster.config())
                        .build();
                var manifest = Files.newInputStream(Path.of("src/test/kubernetes/kwok-in-cluster.yaml"))) {
            client.load(manifest).create();
            return cluster;
        } catch (IOException | RuntimeException failed) {
            cluster.close();
            throw failed;
        }
    }

    String kubeconfig() {
        return container.getKubeConfigYaml();
    }

    Config config() {
        return Config.fromKubeconfig(kubeconfig());
    }

    @Override
    public void close() {
        container.stop();
    }
}
