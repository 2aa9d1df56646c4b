package io.muster.story;

import java.util.List;
import java.util.Locale;

/** What benchmarks of a whole server share. */
final class Benchmarks {
    private Benchmarks() {}

    /** A fleet of a thousand nodes of 8 GPUs in ten blocks of ten racks. */
    static String thousandNodes() {
        var yaml = new StringBuilder("""
                pools:
                  - name: h100
                    machine: {gpus: 8, product: NVIDIA-H100-80GB-HBM3, gpuMemory: 81559Mi, cpus: 192, memory: 2Ti}
                    blocks:
                """);
        for (int block = 1; block <= 10; block++) {
            yaml.append("      - name: b").append(block).append("\n        racks:\n");
            for (int rack = 1; rack <= 10; rack++) {
                yaml.append("          - {name: r").append(rack).append(", nodes: 10}\n");
            }
        }
        return yaml.toString();
    }

    /** @param sorted milliseconds, ascending */
    static void report(String what, List<Double> sorted) {
        System.out.printf(
                Locale.ROOT,
                "benchmark: %s: n=%d p50=%.1f ms p90=%.1f ms p99=%.1f ms most=%.1f ms%n",
                what,
                sorted.size(),
                PhillyReport.quantile(sorted, 0.5),
                PhillyReport.quantile(sorted, 0.9),
                PhillyReport.quantile(sorted, 0.99),
                sorted.getLast());
    }
}
