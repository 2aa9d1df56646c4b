/**
 * Owns the life of a job: one pure function from state and event to the next state.
 * Everything that changes a job's state, the loop, a person or a fact from the cluster, asks {@link Lifecycle#next}.
 * It knows no clock, no retries and no GPUs: whoever sends an event has decided those already.
 */
@NullMarked
package io.muster.lifecycle;

import org.jspecify.annotations.NullMarked;
