package io.muster.web;

import io.muster.model.TeamId;
import io.muster.tenancy.TeamUse;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Tells tenancy, which knows of no jobs, whether a team still has some: here both are known. */
@Component
class OpenJobs implements TeamUse {
    private final JdbcClient jdbc;

    OpenJobs(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public int openJobs(TeamId team) {
        return jdbc.sql("select count(*) from job where team_id = ?"
                        + " and state not in ('SUCCEEDED', 'FAILED', 'CANCELLED')")
                .param(team.value())
                .query(Integer.class)
                .single();
    }
}
