package io.muster.gateway;

import java.time.Instant;
import java.util.UUID;

/**
 * A request to save, the same for all ranks of an attempt.
 *
 * @param id names the signal, so that all ranks stop at the same step
 * @param thenStop whether the program is to end after it has saved
 * @param deadline by when, after which the pods are stopped anyway
 */
public record CheckpointSignal(UUID id, boolean thenStop, Instant deadline) {}
