package io.muster.web.view;

/**
 * What was used, summed.
 *
 * @param key the team's path, the username, the pool or the day
 * @param lostGpuSeconds work that had to be done again
 * @param micros money in millionths of the currency
 */
public record UsageRow(
        String key, long gpuSeconds, double gpuHours, long lostGpuSeconds, long micros, String currency) {}
