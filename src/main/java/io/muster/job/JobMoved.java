package io.muster.job;

import io.muster.lifecycle.Life;
import io.muster.model.JobId;
import io.muster.model.TeamId;

/**
 * Published in the transaction in which a job's life changed: dispatch makes cluster commands of it, the loop is woken.
 *
 * @param attempt number of the current attempt, 0 before the first
 */
public record JobMoved(JobId job, TeamId team, int attempt, Life from, Life to, Cause cause) {}
