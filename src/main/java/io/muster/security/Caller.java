package io.muster.security;

import io.muster.tenancy.Reader;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who asks, and how they showed it.
 *
 * @param reader their scope, narrowed to what the token may do
 * @param session the id of the browser session, or null: a token
 * @param token the id of the token, or null: a session
 * @param mustChangePassword nothing but that works until it is done
 */
public record Caller(
        Reader reader, @Nullable String session, @Nullable UUID token, boolean mustChangePassword) {}
