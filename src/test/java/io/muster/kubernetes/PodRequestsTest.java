package io.muster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** As kube-scheduler counts. */
class PodRequestsTest {

    @Test
    void containersAddUp() {
        assertThat(PodRequests.of(pod(List.of(), List.of(asks("500m", "1Gi"), asks("1", "1Gi")))))
                .containsEntry("cpu", 1500L)
                .containsEntry("memory", 2L << 30);
    }

    @Test
    void theLargestInitContainerCountsWhenItIsMore() {
        assertThat(PodRequests.of(pod(List.of(asks("4", "1Gi"), asks("1", "3Gi")), List.of(asks("2", "2Gi")))))
                .containsEntry("cpu", 4000L)
                .containsEntry("memory", 3L << 30);
    }

    @Test
    void sidecarsRunBesideEverythingThatComesAfterThem() {
        var sidecar = new ContainerBuilder(asks("1", "1Gi"))
                .withRestartPolicy("Always")
                .build();
        assertThat(PodRequests.of(
                        pod(List.of(asks("4", "1Gi"), sidecar, asks("3500m", "1Gi")), List.of(asks("2", "2Gi")))))
                .containsEntry("cpu", 4500L)
                .containsEntry("memory", 3L << 30);
    }

    @Test
    void aLimitAloneIsARequest() {
        var container = new ContainerBuilder()
                .withResources(new ResourceRequirementsBuilder()
                        .addToLimits("nvidia.com/gpu", new Quantity("2"))
                        .build())
                .build();
        assertThat(PodRequests.of(pod(List.of(), List.of(container)))).containsEntry("nvidia.com/gpu", 2L);
    }

    @Test
    void overheadComesOnTopAndThePodsOwnRequestInstead() {
        var pod = pod(List.of(), List.of(asks("1", "1Gi")));
        pod.getSpec().setOverhead(Map.of("cpu", new Quantity("250m")));
        pod.getSpec()
                .setResources(new ResourceRequirementsBuilder()
                        .addToRequests("cpu", new Quantity("3"))
                        .build());
        assertThat(PodRequests.of(pod)).containsEntry("cpu", 3250L).containsEntry("memory", 1L << 30);
    }

    @Test
    void gpusOfAllKindsCount() {
        var quantities = new Quantities(List.of("nvidia.com/gpu", "nvidia.com/mig-*"));
        var resources = quantities.resources(Map.of(
                "nvidia.com/gpu", 2L, "nvidia.com/mig-1g.10gb", 3L, "nvidia.com/other", 9L, "cpu", 5L, "memory", 7L));
        assertThat(resources.gpus()).isEqualTo(5);
        assertThat(resources.cpuMillis()).isEqualTo(5);
        assertThat(resources.memoryBytes()).isEqualTo(7);
    }

    private static Container asks(String cpu, String memory) {
        return new ContainerBuilder()
                .withResources(new ResourceRequirementsBuilder()
                        .addToRequests("cpu", new Quantity(cpu))
                        .addToRequests("memory", new Quantity(memory))
                        .build())
                .build();
    }

    private static Pod pod(List<Container> init, List<Container> containers) {
        return new PodBuilder()
                .withNewSpec()
                .withInitContainers(init)
                .withContainers(containers)
                .endSpec()
                .build();
    }
}
