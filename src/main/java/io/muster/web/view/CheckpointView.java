package io.muster.web.view;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A checkpoint that the program acknowledged; {@code requested}: it answered a signal. */
public record CheckpointView(
        long id,
        int attempt,
        long step,
        String path,
        @Nullable Long bytes,
        boolean requested,
        Instant at) {}
