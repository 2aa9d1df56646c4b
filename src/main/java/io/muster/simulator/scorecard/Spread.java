package io.muster.simulator.scorecard;

import java.util.Arrays;

/** How a quantity is spread over jobs. Percentiles are of the job at that place when sorted. */
public record Spread(int count, double average, double p50, double p90, double p95, double p99, double max) {
    static Spread of(double[] values) {
        if (values.length == 0) return new Spread(0, 0, 0, 0, 0, 0, 0);
        var sorted = values.clone();
        Arrays.sort(sorted);
        return new Spread(
                sorted.length,
                round(Arrays.stream(sorted).average().orElse(0)),
                at(sorted, 0.50),
                at(sorted, 0.90),
                at(sorted, 0.95),
                at(sorted, 0.99),
                round(sorted[sorted.length - 1]));
    }

    private static double at(double[] sorted, double part) {
        return round(sorted[Math.min(sorted.length - 1, (int) (sorted.length * part))]);
    }

    static double round(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
