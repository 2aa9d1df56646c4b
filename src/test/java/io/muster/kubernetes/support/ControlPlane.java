package io.muster.kubernetes.support;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.muster.support.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;

/**
 * etcd, kube-apiserver, kube-controller-manager, kube-scheduler and KWOK as processes on loopback, as shipped but for
 * what speeds up a throw-away cluster. People sign in by tokens made here, so that no certificate tool is needed; the
 * API server makes its own certificate.
 */
final class ControlPlane implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final List<String> PARTS = List.of("admin", "controller-manager", "scheduler", "kwok");

    private final Path binaries;
    private final Path folder;
    private final Map<String, String> tokens = new HashMap<>();
    private final List<Supervised> running = new ArrayList<>();
    private final int api = Ports.free();
    private final int kubelet = Ports.free();

    private ControlPlane(Path binaries) throws IOException {
        this.binaries = binaries;
        // Keys and tokens lie here: nobody else on the machine may read them.
        this.folder = Files.createTempDirectory(
                "muster-kube-", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    static ControlPlane start(Path binaries) throws IOException {
        var plane = new ControlPlane(binaries);
        try {
            plane.startAll();
            return plane;
        } catch (IOException | RuntimeException failed) {
            plane.close();
            throw failed;
        }
    }

    private void startAll() throws IOException {
        var etcd = startEtcd();
        startApiServer(etcd);
        for (var part : PARTS) {
            Files.writeString(folder.resolve(part + ".kubeconfig"), kubeconfig(part));
        }
        try (var client =
                new KubernetesClientBuilder().withConfig(adminConfig()).build()) {
            await("the API server", () -> "ok".equals(client.raw("/readyz")));
            client.load(Files.newInputStream(Path.of("src/test/kubernetes/kwok-logs-crd.yaml")))
                    .create();
            startOthers();
            await(
                    "the controllers",
                    () -> client.serviceAccounts()
                                    .inNamespace("default")
                                    .withName("default")
                                    .get()
                            != null);
        }
    }

    private String startEtcd() throws IOException {
        var client = "http://127.0.0.1:" + Ports.free();
        var peer = "http://127.0.0.1:" + Ports.free();
        run(
                "etcd",
                "--data-dir=etcd",
                "--unsafe-no-fsync",
                "--log-level=error",
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=default=" + peer);
        return client;
    }

    private void startApiServer(String etcd) throws IOException {
        writeServiceAccountKey();
        var lines = new StringBuilder();
        for (var part : PARTS) {
            tokens.put(part, UUID.randomUUID().toString());
            lines.append("%s,%s,%s,system:masters%n".formatted(tokens.get(part), part, part));
        }
        Files.writeString(folder.resolve("tokens.csv"), lines);
        run(
                "kube-apiserver",
                "--etcd-servers=" + etcd,
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                "--secure-port=" + api,
                "--cert-dir=tls",
                "--token-auth-file=tokens.csv",
                "--authorization-mode=RBAC",
                "--endpoint-reconciler-type=none",
                "--service-cluster-ip-range=10.96.0.0/16",
                "--kubelet-preferred-address-types=InternalIP",
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=sa.key",
                "--service-account-signing-key-file=sa.key");
        await(
                "the API server's certificate",
                () -> Files.exists(certificate()) && Files.exists(folder.resolve("tls/apiserver.key")));
    }

    private void startOthers() throws IOException {
        run(
                "kube-controller-manager",
                "--kubeconfig=controller-manager.kubeconfig",
                "--leader-elect=false",
                "--secure-port=0",
                "--kube-api-qps=500",
                "--kube-api-burst=1000",
                "--service-account-private-key-file=sa.key",
                "--root-ca-file=tls/apiserver.crt");
        run(
                "kube-scheduler",
                "--kubeconfig=scheduler.kubeconfig",
                "--leader-elect=false",
                "--secure-port=0",
                "--kube-api-qps=500",
                "--kube-api-burst=1000");
        run(
                "kwok",
                "--kubeconfig=kwok.kubeconfig",
                "--manage-nodes-with-label-selector=" + KwokNode.MARK + "=fake",
                "--enable-crds=Logs",
                "--server-address=127.0.0.1:" + kubelet,
                "--node-ip=127.0.0.1",
                "--node-port=" + kubelet,
                "--tls-cert-file=tls/apiserver.crt",
                "--tls-private-key-file=tls/apiserver.key");
    }

    private void run(String binary, String... arguments) throws IOException {
        var command = new ArrayList<String>();
        command.add(binaries.resolve(binary).toString());
        command.addAll(List.of(arguments));
        running.add(Supervised.start(folder, binary, command));
    }

    private void await(String what, Callable<Boolean> there) throws IOException {
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            for (var part : running) {
                if (!part.alive()) {
                    throw new IOException("the test cluster's " + part.name() + " ended:\n" + part.lastWords());
                }
            }
            if (now(there)) {
                return;
            }
            pause();
        }
        throw new IOException("gave up waiting for " + what + "; logs in " + folder);
    }

    private static boolean now(Callable<Boolean> there) throws IOException {
        try {
            return there.call();
        } catch (KubernetesClientException notYet) {
            return false;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    Config adminConfig() throws IOException {
        return Config.fromKubeconfig(kubeconfig("admin"));
    }

    String kubeconfig(String user) throws IOException {
        return """
                apiVersion: v1
                kind: Config
                clusters: [{name: test, cluster: {server: "https://127.0.0.1:%d", certificate-authority-data: %s}}]
                users: [{name: test, user: {token: %s}}]
                contexts: [{name: test, context: {cluster: test, user: test}}]
                current-context: test
                """.formatted(
                        api, Base64.getEncoder().encodeToString(Files.readAllBytes(certificate())), tokens.get(user));
    }

    Path folder() {
        return folder;
    }

    private Path certificate() {
        return folder.resolve("tls/apiserver.crt");
    }

    private void writeServiceAccountKey() throws IOException {
        try {
            var generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            var key = generator.generateKeyPair().getPrivate().getEncoded();
            var body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key);
            Files.writeString(
                    folder.resolve("sa.key"), "-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----\n");
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        running.reversed().forEach(Supervised::close);
        running.clear();
        Folders.delete(folder);
    }
}
