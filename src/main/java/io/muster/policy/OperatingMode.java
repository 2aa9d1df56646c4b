package io.muster.policy;

import io.muster.model.PoolId;
import io.muster.model.TeamId;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What people allow now; each present entry carries who, when and why. Absent entries mean: running as usual. */
public record OperatingMode(
        @Nullable Entry paused,
        @Nullable Entry frozen,
        @Nullable Entry safe,
        Map<PoolId, Entry> pausedPools,
        Map<TeamId, Entry> pausedTeams) {

    /** Who set it, when, and why. */
    public record Entry(String by, Instant since, String why) {}

    public OperatingMode {
        pausedPools = Map.copyOf(pausedPools);
        pausedTeams = Map.copyOf(pausedTeams);
    }
}
