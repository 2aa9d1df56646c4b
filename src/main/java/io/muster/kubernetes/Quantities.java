package io.muster.kubernetes;

import io.fabric8.kubernetes.api.model.Quantity;
import io.muster.model.Resources;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Kubernetes' quantities as Muster's integers: CPU in thousandths, all else in whole units, rounded up as
 * kube-scheduler does.
 */
record Quantities(List<String> gpuResources) {

    Quantities {
        gpuResources = List.copyOf(gpuResources);
    }

    static Map<String, Long> integers(@Nullable Map<String, Quantity> quantities) {
        var integers = new TreeMap<String, Long>();
        if (quantities != null) {
            quantities.forEach((name, quantity) -> integers.put(name, integer(name, quantity)));
        }
        return integers;
    }

    private static long integer(String name, Quantity quantity) {
        var amount = quantity.getNumericalAmount();
        var scaled = name.equals("cpu") ? amount.multiply(BigDecimal.valueOf(1000)) : amount;
        return scaled.setScale(0, RoundingMode.CEILING)
                .min(BigDecimal.valueOf(Long.MAX_VALUE))
                .longValue();
    }

    Resources resources(Map<String, Long> amounts) {
        var gpus = amounts.entrySet().stream()
                .filter(amount -> isGpu(amount.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
        return new Resources(
                Math.toIntExact(Math.min(gpus, Integer.MAX_VALUE)),
                amounts.getOrDefault("cpu", 0L),
                amounts.getOrDefault("memory", 0L));
    }

    private boolean isGpu(String resource) {
        return gpuResources.stream()
                .anyMatch(gpu -> gpu.endsWith("*")
                        ? resource.startsWith(gpu.substring(0, gpu.length() - 1))
                        : resource.equals(gpu));
    }
}
