package io.muster.audit;

import io.muster.model.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of the trail; {@code before} and {@code after} are JSON text. */
public record AuditEntry(
        long id,
        Instant at,
        @Nullable UserId actor,
        String action,
        String subject,
        @Nullable String before,
        @Nullable String after,
        @Nullable String reason,
        @Nullable String source) {}
