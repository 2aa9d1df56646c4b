package io.muster.tenancy;

import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import java.util.List;
import java.util.Optional;

/** Reads teams and what is set for them; answers come from a cache that follows every change. */
public interface TeamDirectory {

    Optional<Team> find(TeamPath path);

    Optional<Team> find(TeamId id);

    /** Every team, archived ones too, by path. */
    List<Team> all();

    /** Every quota row of every team. */
    List<TeamQuota> quotas();

    /** Effective defaults: each value from the nearest team up the tree that sets it. */
    TeamDefaults defaults(TeamId team);

    /** Volumes of the team and of the teams above it, by name; the nearest wins. */
    List<TeamVolume> volumes(TeamId team);

    /** Grows with every committed change of teams, quotas, defaults or volumes, by any server on this database. */
    long revision();
}
