package io.muster.simulation;

import java.time.Duration;
import java.time.Instant;

/**
 * A job of a recorded workload.
 *
 * @param submittedAt when, by the trace's clock
 * @param duration how long it ran
 * @param gpus how many it held
 * @param team whose it was, as the trace calls it
 */
public record TracedJob(Instant submittedAt, Duration duration, int gpus, String team) {}
