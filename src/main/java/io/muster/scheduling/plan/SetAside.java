package io.muster.scheduling.plan;

import io.muster.model.JobId;

/**
 * A job that made the core throw. It was left out so that the others could be planned; a person must look at it.
 *
 * @param error the exception's class and message, for people
 */
public record SetAside(JobId job, String error) {}
