package io.muster.audit;

import io.muster.model.UserId;
import org.jspecify.annotations.Nullable;

/** Takes one row per change, in the caller's transaction. */
public interface AuditTrail {

    /**
     * Appends a row.
     *
     * @param actor who, or null: the system itself
     * @param action a stable word such as {@code quota.change}
     * @param subject what it was done to, such as {@code team:0197...}
     * @param before the state before as a plain value that JSON can carry, or null
     * @param after the state after, or null
     * @param reason what the actor gave as a reason, or null
     */
    void append(
            @Nullable UserId actor,
            String action,
            String subject,
            @Nullable Object before,
            @Nullable Object after,
            @Nullable String reason);
}
