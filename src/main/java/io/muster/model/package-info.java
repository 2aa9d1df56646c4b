/**
 * Owns the words every other package speaks in: typed ids, amounts of resources, states and reasons.
 * Everything here is an immutable value of the JDK alone, with no behaviour beyond arithmetic and validation.
 * Nothing here knows of a database, a cluster, a clock or a wire format.
 */
@NullMarked
package io.muster.model;

import org.jspecify.annotations.NullMarked;
