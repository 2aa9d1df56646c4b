package io.muster.web.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Team defaults, as set on this team and as effective with the teams above; volumes of the team and above. */
public record SettingsView(Defaults own, Defaults effective, List<Volume> volumes, long version) {

    /** Quantities as Kubernetes writes them, durations as people do, the order as the policy does; null: not set. */
    public record Defaults(
            @Nullable String cpusPerGpu,
            @Nullable String memoryPerGpu,
            @Nullable String sharedMemory,
            @Nullable String walltime,
            @Nullable String maxWalltime,
            List<String> imageAllowlist,
            @Nullable Integer userGpuCap,
            @Nullable Integer userQueueCap,
            @Nullable String order) {}

    public record Volume(
            String name,
            String team,
            String claim,
            @Nullable String subPath,
            boolean readOnly) {}

    public record VolumeBody(String claim, @Nullable String subPath, boolean readOnly) {}
}
