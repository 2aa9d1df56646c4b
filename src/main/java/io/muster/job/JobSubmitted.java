package io.muster.job;

import io.muster.model.JobId;
import io.muster.model.TeamId;

/** Published in the transaction that stored a new job or a new revision of a waiting one: the loop is woken. */
public record JobSubmitted(JobId job, TeamId team) {}
