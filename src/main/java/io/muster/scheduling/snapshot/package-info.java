/**
 * Owns what the core sees: the fleet, the teams, the jobs and the promises, all at one instant.
 * Every list is immutable and its order does not matter to the result; ids are unique.
 * Whoever assembles a snapshot has already applied what is not the core's business (roles, redaction, retries).
 */
@NullMarked
package io.muster.scheduling.snapshot;

import org.jspecify.annotations.NullMarked;
