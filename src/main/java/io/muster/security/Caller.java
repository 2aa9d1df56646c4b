package io.muster.security;

import io.muster.tenancy.Reader;
import org.jspecify.annotations.Nullable;

/**
 * Who asks, and how they showed it.
 *
 * @param reader their scope, narrowed to what the token may do
 * @param session the id of the browser session, or null: a token
 * @param mustChangePassword nothing but that works until it is done
 */
public record Caller(Reader reader, @Nullable String session, boolean mustChangePassword) {}
