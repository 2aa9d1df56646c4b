package io.muster.web.view;

import java.util.List;

/** The order of all that wait in one pool, and why. */
public record QueueView(String pool, int waitingJobs, int waitingGpus, List<JobSummary> jobs) {}
