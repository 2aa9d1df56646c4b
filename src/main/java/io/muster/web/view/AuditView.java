package io.muster.web.view;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of the trail. {@code actor}: a username, null: the system; {@code before} and {@code after} as they were. */
public record AuditView(
        long id,
        Instant at,
        @Nullable String actor,
        String action,
        String subject,
        @Nullable Object before,
        @Nullable Object after,
        @Nullable String reason,
        @Nullable String source) {}
