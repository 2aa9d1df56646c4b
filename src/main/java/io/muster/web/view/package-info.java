/**
 * Owns the shapes of REST responses and requests, from which OpenAPI and the TypeScript types are generated.
 * Teams are paths, people are usernames, durations are whole seconds, money is millionths, times are instants.
 * A null field is one that does not apply or that the reader may not know.
 */
@NullMarked
package io.muster.web.view;

import org.jspecify.annotations.NullMarked;
