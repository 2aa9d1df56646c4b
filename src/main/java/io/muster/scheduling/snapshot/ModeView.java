package io.muster.scheduling.snapshot;

import io.muster.model.PoolId;
import io.muster.model.TeamId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What people allow now. Each present value is the reason that was given.
 *
 * @param paused nothing starts and nobody is preempted anywhere, or null
 * @param frozen nobody is preempted or reclaimed, or null
 * @param safe run what runs, start nothing, preempt nobody, or null
 * @param pausedPools pools in which nothing starts
 * @param pausedTeams teams (and the teams below them) of which nothing starts
 */
public record ModeView(
        @Nullable String paused,
        @Nullable String frozen,
        @Nullable String safe,
        Map<PoolId, String> pausedPools,
        Map<TeamId, String> pausedTeams) {
    public static final ModeView RUNNING = new ModeView(null, null, null, Map.of(), Map.of());

    public ModeView {
        pausedPools = Map.copyOf(pausedPools);
        pausedTeams = Map.copyOf(pausedTeams);
    }
}
