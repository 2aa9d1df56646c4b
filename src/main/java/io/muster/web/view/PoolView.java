package io.muster.web.view;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pool with its numbers now, in GPUs.
 *
 * @param busy held by Muster's jobs
 * @param reserved kept for somebody and not held
 * @param free usable now by anybody
 * @param foreign held by pods that are not Muster's
 * @param unavailable on nodes that take no replicas (and not held)
 * @param broken lacking on nodes that had more once
 * @param largestGang by level: GPUs of the largest gang that fits now inside one domain
 */
public record PoolView(
        String id,
        String displayName,
        List<Level> levels,
        Map<String, String> selector,
        List<String> gpuTypes,
        long microsPerGpuHour,
        String currency,
        int nodes,
        int total,
        int busy,
        int reserved,
        int free,
        int foreign,
        int unavailable,
        int broken,
        int waitingJobs,
        int waitingGpus,
        List<Largest> largestGang,
        Map<String, Object> profile,
        long version) {

    public record Level(String name, String label) {}

    public record Largest(String level, String domain, int gpus) {}

    /** A pool as admins set it; the selector's labels choose its nodes; no profile: as shipped, or as it is. */
    public record Body(
            String displayName,
            Map<String, String> selector,
            List<Level> levels,
            @Nullable Map<String, Object> profile,
            long microsPerGpuHour) {}

    public record Create(
            String id,
            String displayName,
            Map<String, String> selector,
            List<Level> levels,
            @Nullable Map<String, Object> profile,
            long microsPerGpuHour) {}
}
