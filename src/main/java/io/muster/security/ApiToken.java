package io.muster.security;

import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A token as its owner sees it; the secret is nowhere. */
public record ApiToken(
        UUID id,
        UserId owner,
        String name,
        String prefix,
        TokenScope scope,
        @Nullable TeamId team,
        Instant createdAt,
        Instant expiresAt,
        @Nullable Instant lastUsedAt,
        boolean revoked) {

    /** The one time that the secret is told. */
    public record Created(ApiToken token, String secret) {}
}
