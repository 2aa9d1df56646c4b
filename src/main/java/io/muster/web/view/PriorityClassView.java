package io.muster.web.view;

import java.util.List;
import java.util.Map;

/**
 * A priority class, highest first in lists.
 *
 * @param usableBy MEMBER, TEAM_ADMIN or GRANTED (members of teams in {@code grants} and below)
 * @param acrossTeams whether it may preempt in other teams
 * @param caps by pool, most GPUs that its jobs may hold by that privilege
 * @param grants paths of teams
 */
public record PriorityClassView(
        String name, int value, String usableBy, boolean acrossTeams, Map<String, Integer> caps, List<String> grants) {

    public record Body(
            int value, String usableBy, boolean acrossTeams, Map<String, Integer> caps, List<String> grants) {}
}
