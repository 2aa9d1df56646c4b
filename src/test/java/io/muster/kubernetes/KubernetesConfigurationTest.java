package io.muster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.muster.gateway.ClusterDuty;
import io.muster.gateway.ClusterFact.FullList;
import io.muster.gateway.ClusterGateway;
import io.muster.gateway.ClusterObserver;
import io.muster.gateway.ToldFacts;
import io.muster.kubernetes.support.RealCluster;
import io.muster.support.Database;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

/** How the adapter becomes part of the server. */
class KubernetesConfigurationTest {

    @RegisterExtension
    static final RealCluster cluster = new RealCluster();

    @TempDir
    Path folder;

    private final ToldFacts told = new ToldFacts();
    private final ApplicationContextRunner server = new ApplicationContextRunner()
            .withUserConfiguration(KubernetesConfiguration.class)
            .withBean(ClusterObserver.class, () -> told)
            .withBean(ClusterDuty.class, () -> () -> true)
            .withBean(Clock.class, Clock::systemUTC)
            .withBean(JdbcClient.class, () -> Database.fresh().jdbc());

    @Test
    void itTakesNoPartUnlessTheClusterIsKubernetes() {
        server.withPropertyValues("muster.cluster.type=virtual")
                .run(context -> assertThat(context).doesNotHaveBean(ClusterGateway.class));
    }

    @Test
    void byAKubeconfigItConnectsTellsAndStops() throws IOException {
        var kubeconfig = cluster.adminKubeconfig(folder);
        server.withPropertyValues(
                        "muster.cluster.type=kubernetes",
                        "muster.cluster.kubernetes.kubeconfig=" + kubeconfig,
                        "muster.cluster.kubernetes.relist=1s")
                .run(context -> {
                    var gateway = context.getBean(ClusterGateway.class);
                    await().atMost(Duration.ofMinutes(2))
                            .until(() -> gateway.health().reachable());
                    await().atMost(Duration.ofMinutes(2))
                            .until(() -> !told.all(FullList.class).isEmpty());
                });
        told.forget();
        await().during(Duration.ofSeconds(2))
                .atMost(Duration.ofMinutes(1))
                .until(() -> told.all().isEmpty());
    }

    @Test
    void inAPodItUsesTheServiceAccountAndFollowsItsTokensRotation() throws Exception {
        Adapters.install(cluster.admin());
        var account = cluster.configOf("muster", "muster");
        var url = URI.create(account.getMasterUrl());
        Files.write(folder.resolve("ca.crt"), Base64.getMimeDecoder().decode(account.getCaCertData()));
        Files.writeString(folder.resolve("token"), "expired");
        var config = Connection.ofPod(folder, url.getHost(), Integer.toString(url.getPort()));
        try (var client = Connection.open(config, Adapters.settings())) {
            assertThatThrownBy(() -> client.nodes().list())
                    .isInstanceOfSatisfying(
                            KubernetesClientException.class,
                            e -> assertThat(e.getCode()).isEqualTo(401));
            Files.writeString(folder.resolve("token"), account.getOauthToken());
            await().atMost(Duration.ofMinutes(2))
                    .ignoreExceptions()
                    .until(() -> client.nodes().list() != null);
        }
    }

    @Test
    void withoutAKubeconfigAndOutsideAPodItSaysWhatIsMissing() {
        assertThatThrownBy(() -> Connection.ofPod(folder, null, null))
                .hasMessageContaining("muster.cluster.kubernetes.kubeconfig is not set");
    }

    @Test
    void aKubeconfigThatIsNotThereIsNamed() {
        server.withPropertyValues(
                        "muster.cluster.type=kubernetes",
                        "muster.cluster.kubernetes.kubeconfig=" + folder.resolve("none"))
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("names no readable file"));
    }
}
