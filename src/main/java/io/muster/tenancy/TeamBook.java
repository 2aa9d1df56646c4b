package io.muster.tenancy;

import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.util.List;
import java.util.Optional;

/** What those who edit teams read: versions for ETags, members, what is set on a team itself. */
public interface TeamBook {

    /** A quota with its version. */
    record Quota(TeamQuota quota, long version) {}

    /** What is set on the team itself; version 0: nothing yet. */
    record Settings(TeamDefaults own, long version) {}

    long version(TeamId team);

    List<Quota> quotas(TeamId team);

    Optional<Quota> quota(TeamId team, PoolId pool);

    Settings settings(TeamId team);

    /** Members of this very team. */
    List<Membership> members(TeamId team);

    List<Membership> memberships(UserId user);

    /** Users and service accounts, by username. */
    List<Person> people();
}
