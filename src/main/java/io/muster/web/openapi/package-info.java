/**
 * Owns what {@code openapi/v1.json} says beyond what the controllers say by themselves: which fields may be null, how one
 * signs in, that every error is a problem, and what a job document looks like.
 * A test holds the checked-in file against the server.
 */
@NullMarked
package io.muster.web.openapi;

import org.jspecify.annotations.NullMarked;
