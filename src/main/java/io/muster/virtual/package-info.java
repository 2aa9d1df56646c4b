/**
 * Owns the virtual cluster: a fleet of nodes and GPUs that exist as rows of Postgres, and the pods that run on it by the
 * pure model of {@code io.muster.simulation}. It takes commands as a real cluster does and tells what happens to the
 * observer, exactly as often as it takes for the observer to keep it. It outlives the server, and of several servers
 * one tells at a time.
 */
@NullMarked
package io.muster.virtual;

import org.jspecify.annotations.NullMarked;
