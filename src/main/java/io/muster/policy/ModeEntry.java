package io.muster.policy;

import io.muster.model.PoolId;
import io.muster.model.TeamId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One thing that people ordered and that is in force: everywhere, in a pool or for a team. */
public record ModeEntry(
        long id, Mode mode, @Nullable PoolId pool, @Nullable TeamId team, String by, Instant since, String why) {

    /** PAUSED: nothing starts. FROZEN: nobody is preempted. SAFE: run what runs, start nothing, preempt nobody. */
    public enum Mode {
        PAUSED,
        FROZEN,
        SAFE
    }
}
