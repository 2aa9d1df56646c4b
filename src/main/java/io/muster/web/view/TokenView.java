package io.muster.web.view;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An API token; the secret is shown once, at creation. */
public record TokenView(
        String id,
        String name,
        String prefix,
        String scope,
        @Nullable String team,
        Instant createdAt,
        Instant expiresAt,
        @Nullable Instant lastUsedAt,
        boolean revoked) {

    public record Created(TokenView token, String secret) {}

    /** {@code scope}: READ, SUBMIT or ADMIN; {@code expiresIn} as people write durations, at most 365d. */
    public record Create(
            String name, String scope, @Nullable String team, String expiresIn) {}
}
