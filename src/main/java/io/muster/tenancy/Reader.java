package io.muster.tenancy;

import io.muster.model.Role;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Whoever asks, and what they may do where: the scope that is part of every query.
 *
 * @param user the principal
 * @param username what they sign in as
 * @param platformAdmin whether they administer the platform
 * @param roles their effective role by team; roles reach down the tree, so every inner team is listed
 */
public record Reader(UserId user, String username, boolean platformAdmin, Map<TeamId, Role> roles) {
    public Reader {
        roles = Map.copyOf(roles);
    }

    /** True when the reader has at least {@code needed} in {@code team}; platform admins have every role. */
    public boolean may(TeamId team, Role needed) {
        Role role = roles.get(team);
        return platformAdmin || role != null && role.atLeast(needed);
    }

    /** Teams in which the reader has at least {@code needed} by membership. */
    public Set<TeamId> teamsWith(Role needed) {
        return roles.entrySet().stream()
                .filter(e -> e.getValue().atLeast(needed))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
