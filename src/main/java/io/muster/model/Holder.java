package io.muster.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who holds GPUs that a waiting job needs.
 *
 * @param job the holder, or null for a pod that is not Muster's
 * @param team the holder's team, or null for a foreign pod
 * @param gpus GPUs it holds in the place in question
 * @param expectedEnd when it is expected to end, or null when nobody knows
 */
public record Holder(
        @Nullable JobId job,
        @Nullable TeamId team,
        int gpus,
        @Nullable Instant expectedEnd) {}
