package io.muster.tenancy;

import io.muster.model.UserId;
import org.jspecify.annotations.Nullable;

/**
 * Somebody may see less than a moment ago: signed out, disabled, a token revoked, a role taken. Whatever streams to them
 * is to be closed; who still may, connects again. Published in the transaction of the change, if there is one.
 *
 * @param session the session that ended, or null: everything of that user
 */
public record AccessRevoked(UserId user, @Nullable String session) {}
