package io.muster.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reaches the API server by a kubeconfig, or by the service account of the pod that the server runs in. */
final class Connection {

    private static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    private Connection() {}

    static KubernetesClient open(KubernetesProperties settings) {
        return open(config(settings), settings);
    }

    /** The client repeats nothing by itself: a repeat is decided where it is known what may be repeated. */
    static KubernetesClient open(Config config, KubernetesProperties settings) {
        var millis = Math.toIntExact(settings.requestTimeout().toMillis());
        var patient = new ConfigBuilder(config)
                .withRequestTimeout(millis)
                .withConnectionTimeout(millis)
                .withRequestRetryBackoffLimit(0)
                .withUserAgent("muster")
                .build();
        return new KubernetesClientBuilder().withConfig(patient).build();
    }

    private static Config config(KubernetesProperties settings) {
        var kubeconfig = settings.kubeconfig();
        if (kubeconfig != null) {
            try {
                return Config.fromKubeconfig(settings.context(), Files.readString(Path.of(kubeconfig)), kubeconfig);
            } catch (IOException e) {
                throw new IllegalStateException(
                        "muster.cluster.kubernetes.kubeconfig names no readable file: " + kubeconfig, e);
            }
        }
        return ofPod(
                SERVICE_ACCOUNT, System.getenv("KUBERNETES_SERVICE_HOST"), System.getenv("KUBERNETES_SERVICE_PORT"));
    }

    /** By what a kubelet puts into each pod. No kubeconfig that lies about is read. */
    static Config ofPod(Path serviceAccount, @Nullable String host, @Nullable String port) {
        if (host == null || port == null || !Files.isReadable(serviceAccount.resolve("token"))) {
            throw new IllegalStateException("muster.cluster.type is kubernetes, but the server runs in no pod and"
                    + " muster.cluster.kubernetes.kubeconfig is not set");
        }
        var address = host.contains(":") ? "[" + host + "]" : host;
        return new ConfigBuilder()
                .withAutoConfigure(false)
                .withMasterUrl("https://" + address + ":" + port)
                .withCaCertFile(serviceAccount.resolve("ca.crt").toString())
                .withOauthTokenProvider(new RotatedToken(serviceAccount.resolve("token")))
                .build();
    }
}
