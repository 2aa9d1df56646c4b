/**
 * Owns who asks: sign-in with lock-out, browser sessions, API tokens, attempt tokens, one-time links and their recovery.
 * Every request leaves here with a {@link Caller}, whose scope is part of every query behind it.
 * It decides nothing about jobs or teams; roles come from tenancy, narrowed to what a token may do.
 */
@NullMarked
package io.muster.security;

import org.jspecify.annotations.NullMarked;
