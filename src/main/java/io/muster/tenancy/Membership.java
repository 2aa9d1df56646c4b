package io.muster.tenancy;

import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.UserId;

/** Who has which role in a team; {@code source} LOCAL: set here, GROUP: from the identity provider. */
public record Membership(TeamId team, UserId user, Role role, String source) {}
