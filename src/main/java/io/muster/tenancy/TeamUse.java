package io.muster.tenancy;

import io.muster.model.TeamId;

/** Tells whether a team still does something; implemented by whoever knows its jobs. */
public interface TeamUse {

    int openJobs(TeamId team);
}
