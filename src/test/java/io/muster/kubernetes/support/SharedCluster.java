package io.muster.kubernetes.support;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The one cluster of this JVM, started by the first test class that wants it and stopped when the JVM ends. */
final class SharedCluster {

    private static @Nullable SharedCluster instance;

    private final String kubeconfig;
    private final KubernetesClient admin;
    private final AutoCloseable running;
    private final @Nullable Path folder;

    private SharedCluster(String kubeconfig, AutoCloseable running, @Nullable Path folder) {
        this.kubeconfig = kubeconfig;
        this.admin = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig))
                .build();
        this.running = running;
        this.folder = folder;
    }

    static synchronized SharedCluster of(ClusterSource source) throws IOException {
        var there = instance;
        if (there == null) {
            there = start(source);
            Runtime.getRuntime().addShutdownHook(new Thread(there::stop, "stop-test-cluster"));
            instance = there;
        }
        return there;
    }

    private static SharedCluster start(ClusterSource source) throws IOException {
        return switch (source) {
            case ClusterSource.Given given -> new SharedCluster(Files.readString(given.kubeconfig()), () -> {}, null);
            case ClusterSource.Docker _ -> {
                var k3s = K3sCluster.start();
                yield new SharedCluster(k3s.kubeconfig(), k3s, null);
            }
            case ClusterSource.Processes processes -> {
                var plane = ControlPlane.start(Binaries.build(processes.build()));
                yield new SharedCluster(plane.kubeconfig("admin"), plane, plane.folder());
            }
            case ClusterSource.Absent absent -> throw new IOException(absent.why());
        };
    }

    private void stop() {
        admin.close();
        try {
            running.close();
        } catch (Exception e) {
            System.err.println("the test cluster did not stop cleanly: " + e);
        }
    }

    KubernetesClient admin() {
        return admin;
    }

    String kubeconfig() {
        return kubeconfig;
    }

    /** Where log files of played pods go; null on a cluster that cannot read this machine's files. */
    @Nullable Path folder() {
        return folder;
    }
}
