package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a pod holds of its node, as kube-scheduler counts it: the containers together, or the largest init container
 * (with the sidecars that run beside it by then) when that is more; plus the overhead of its runtime class. Requests of
 * the pod as a whole, where given, stand for the sum.
 */
final class PodRequests {

    private PodRequests() {}

    static Map<String, Long> of(Pod pod) {
        var spec = pod.getSpec();
        var sidecars = new TreeMap<String, Long>();
        var peak = new TreeMap<String, Long>();
        for (var init : orEmpty(spec.getInitContainers())) {
            var needs = requests(init.getResources());
            if ("Always".equals(init.getRestartPolicy())) {
                needs.forEach((name, amount) -> sidecars.merge(name, amount, Math::addExact));
                max(peak, sidecars);
            } else {
                max(peak, sum(sidecars, needs));
            }
        }
        Map<String, Long> steady = new TreeMap<>(sidecars);
        for (var container : orEmpty(spec.getContainers())) {
            steady = sum(steady, requests(container.getResources()));
        }
        max(peak, steady);
        requests(spec.getResources()).forEach(peak::put);
        return sum(peak, Quantities.integers(spec.getOverhead()));
    }

    /** A limit without a request is a request of the same amount. */
    private static Map<String, Long> requests(@Nullable ResourceRequirements resources) {
        if (resources == null) {
            return Map.of();
        }
        var all = new TreeMap<String, Quantity>();
        if (resources.getLimits() != null) {
            all.putAll(resources.getLimits());
        }
        if (resources.getRequests() != null) {
            all.putAll(resources.getRequests());
        }
        return Quantities.integers(all);
    }

    private static Map<String, Long> sum(Map<String, Long> one, Map<String, Long> other) {
        var sum = new TreeMap<>(one);
        other.forEach((name, amount) -> sum.merge(name, amount, Math::addExact));
        return sum;
    }

    private static void max(Map<String, Long> peak, Map<String, Long> other) {
        other.forEach((name, amount) -> peak.merge(name, amount, Math::max));
    }

    private static List<Container> orEmpty(@Nullable List<Container> containers) {
        return containers == null ? List.of() : containers;
    }
}
