package io.muster.kubernetes.support;

import static io.muster.kubernetes.support.KwokNode.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The fixture itself: what the other tests take for granted. */
class RealClusterTest {

    @RegisterExtension
    static final RealCluster cluster = new RealCluster();

    @Test
    void playedNodesRunPodsAndLetThemEnd() {
        cluster.add(node("fixture-1").gpus(8).rack("r1"));

        var pod = start("runs", "fixture-1");
        assertThat(pod.getStatus().getPhase()).isEqualTo("Running");

        cluster.pods().exit("default", "runs", 137, "OOMKilled");
        var ended =
                cluster.admin().pods().inNamespace("default").withName("runs").get();
        assertThat(ended.getStatus().getPhase()).isEqualTo("Failed");
        assertThat(ended.getStatus()
                        .getContainerStatuses()
                        .getFirst()
                        .getState()
                        .getTerminated()
                        .getExitCode())
                .isEqualTo(137);
        cluster.admin().resource(ended).delete();
    }

    @Test
    void playedPodsHaveLogs() {
        assumeTrue(cluster.pods().canLog(), "logs are played from this machine's files");
        cluster.add(node("fixture-2").gpus(8));
        var log = cluster.pods().openLog("default", "speaks");
        cluster.pods().log(log, "step 1");
        start("speaks", "fixture-2");

        assertThat(cluster.admin()
                        .pods()
                        .inNamespace("default")
                        .withName("speaks")
                        .getLog())
                .isEqualTo("step 1\n");
        cluster.admin().pods().inNamespace("default").withName("speaks").delete();
    }

    private static Pod start(String name, String node) {
        cluster.admin()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName(node)
                        .addNewContainer()
                        .withName("main")
                        .withImage("images.example/none")
                        .withNewResources()
                        .withLimits(Map.of("nvidia.com/gpu", new Quantity("1")))
                        .endResources()
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        return cluster.admin()
                .pods()
                .inNamespace("default")
                .withName(name)
                .waitUntilCondition(
                        p -> p != null && "Running".equals(p.getStatus().getPhase()), 30, TimeUnit.SECONDS);
    }
}
