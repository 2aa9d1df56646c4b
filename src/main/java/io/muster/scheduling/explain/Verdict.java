package io.muster.scheduling.explain;

import io.muster.model.Reason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a job that does not start was given instead.
 *
 * @param promised the victims it waits for, or null
 * @param startAt when its reservation lets it start, or null
 */
public record Verdict(
        Reason.@Nullable WaitingForVictims promised,
        @Nullable Instant startAt) {}
