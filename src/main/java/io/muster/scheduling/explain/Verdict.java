package io.muster.scheduling.explain;

import io.muster.model.Reason;
import io.muster.scheduling.fairshare.Standing;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.topology.Partition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a job's turn when it did not start: what was tried, in order.
 *
 * @param promised the victims it waits for, or null
 * @param startAt when its reservation lets it start, or null
 */
public record Verdict(
        Claimant claimant,
        List<Tried> tried,
        Reason.@Nullable WaitingForVictims promised,
        @Nullable Instant startAt) {
    public Verdict {
        tried = List.copyOf(tried);
    }

    /**
     * One partition.
     *
     * @param wish the level it asked for, or null when the pool has no such level
     * @param paused nothing starts in the pool
     * @param needsVictims its share would let it take GPUs from others, and nothing else would help
     */
    public record Tried(
            Partition partition,
            Standing standing,
            @Nullable LevelWish wish,
            boolean paused,
            boolean needsVictims) {}
}
