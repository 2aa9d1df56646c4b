/**
 * Owns what time it is for everything that Muster decides and records: one {@link java.time.Clock}, the system's own or
 * one that runs faster for the virtual cluster. Where a faster clock stands is kept in Postgres, so that all servers
 * agree and a restart does not turn it back. Leases, sessions and tokens do not use it: they go by real time.
 */
@NullMarked
package io.muster.time;

import org.jspecify.annotations.NullMarked;
