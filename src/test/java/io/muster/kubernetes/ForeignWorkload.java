package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.muster.model.NodeId;
import io.muster.model.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Pods of somebody else. */
final class ForeignWorkload {

    private final KubernetesClient admin;
    private final List<Pod> pods = new ArrayList<>();

    ForeignWorkload(KubernetesClient admin) {
        this.admin = admin;
    }

    Pod take(NodeId node, Resources amount) {
        var amounts = Map.of(
                "nvidia.com/gpu", new Quantity(Integer.toString(amount.gpus())),
                "cpu", new Quantity(amount.cpuMillis() + "m"),
                "memory", new Quantity(Long.toString(amount.memoryBytes())));
        var pod = admin.resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withGenerateName("foreign-")
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName(node.value())
                        .addNewContainer()
                        .withName("main")
                        .withImage("images.example/foreign")
                        .withNewResources()
                        .withRequests(amounts)
                        .withLimits(amounts)
                        .endResources()
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        pods.add(pod);
        return pod;
    }

    void leave() {
        pods.forEach(pod -> admin.resource(pod).withGracePeriod(0).delete());
        pods.clear();
    }
}
