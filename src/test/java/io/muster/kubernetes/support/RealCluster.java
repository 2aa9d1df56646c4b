package io.muster.kubernetes.support;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

/**
 * A real Kubernetes for a test class: {@code @RegisterExtension static final RealCluster cluster = new RealCluster();}.
 * The cluster is shared by all classes of the JVM; nodes that a class adds are removed after it. Without any way to a
 * cluster the class is skipped, saying what to install.
 */
public final class RealCluster implements ExecutionCondition, BeforeAllCallback, AfterAllCallback {

    private static final ClusterSource SOURCE = ClusterSource.find();

    private final List<Node> added = new ArrayList<>();
    private @Nullable SharedCluster shared;

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return SOURCE instanceof ClusterSource.Absent absent ? disabled(absent.why()) : enabled("runs on " + SOURCE);
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        shared = SharedCluster.of(SOURCE);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        removeNodes();
    }

    /** A client that may do everything; for arranging and checking, not for the code under test. */
    public KubernetesClient admin() {
        return shared().admin();
    }

    public Config adminConfig() {
        return Config.fromKubeconfig(shared().kubeconfig());
    }

    /** The administrator's kubeconfig as a file, for a server started by a test; readable by this user only. */
    public Path adminKubeconfig(Path folder) throws IOException {
        var file = Files.createTempFile(folder, "kubeconfig", ".yaml");
        return Files.writeString(file, shared().kubeconfig());
    }

    /** Signs in as a service account, with nothing but its own rights. */
    public Config configOf(String namespace, String serviceAccount) {
        var request = new TokenRequestBuilder()
                .withNewSpec()
                .withExpirationSeconds(3600L)
                .endSpec()
                .build();
        var token = admin().serviceAccounts()
                .inNamespace(namespace)
                .withName(serviceAccount)
                .tokenRequest(request);
        var admin = adminConfig();
        return new ConfigBuilder()
                .withAutoConfigure(false)
                .withMasterUrl(admin.getMasterUrl())
                .withCaCertData(admin.getCaCertData())
                .withOauthToken(token.getStatus().getToken())
                .build();
    }

    /** Adds nodes and waits until the ones that KWOK plays are ready. */
    public void add(KwokNode... nodes) {
        for (var node : nodes) {
            var built = node.build();
            var created = admin().resource(built).create();
            added.add(created);
            if (node.isDead()) {
                PlayedPods.markReady(admin(), created);
            }
        }
        for (var node : nodes) {
            awaitReady(node.build().getMetadata().getName());
        }
    }

    public void editNode(String name, UnaryOperator<Node> change) {
        Conflicts.retried(() -> admin().nodes().withName(name).edit(change));
    }

    public void editNodeStatus(String name, UnaryOperator<Node> change) {
        Conflicts.retried(() -> admin().nodes().withName(name).editStatus(change));
    }

    /** Plays the part of a kubelet: ends pods, writes their logs. */
    public PlayedPods pods() {
        return new PlayedPods(admin(), shared().folder());
    }

    public void removeNodes() {
        added.forEach(node -> admin().resource(node).withGracePeriod(0).delete());
        added.clear();
    }

    private void awaitReady(String node) {
        var ready = admin().nodes().withName(node).waitUntilCondition(RealCluster::isReady, 60, TimeUnit.SECONDS);
        if (ready == null) {
            throw new TestAbortedException("node " + node
                    + " did not become ready: is KWOK installed in the cluster of " + ClusterSource.GIVEN + "?");
        }
    }

    private static boolean isReady(@Nullable Node node) {
        return node != null
                && node.getStatus() != null
                && node.getStatus().getConditions().stream()
                        .anyMatch(c -> "Ready".equals(c.getType()) && "True".equals(c.getStatus()))
                && node.getSpec().getTaints().stream()
                        .noneMatch(t -> "node.kubernetes.io/not-ready".equals(t.getKey()));
    }

    private SharedCluster shared() {
        if (shared == null) {
            throw new IllegalStateException("the cluster is there from beforeAll on");
        }
        return shared;
    }
}
