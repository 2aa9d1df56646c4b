package io.muster.policy;

import io.muster.model.PoolId;
import java.util.Map;

/**
 * A priority class.
 *
 * @param name as the job document names it
 * @param value higher goes first; lower may be preempted by it inside a team
 * @param usableBy who may submit with it
 * @param acrossTeams whether it may preempt in other teams
 * @param caps by pool, most GPUs that its jobs may hold by that privilege; a pool without one: none
 */
public record PriorityClass(String name, int value, UsableBy usableBy, boolean acrossTeams, Map<PoolId, Integer> caps) {

    /** The least role; GRANTED: members of teams to which a platform admin granted it. */
    public enum UsableBy {
        MEMBER,
        TEAM_ADMIN,
        GRANTED
    }

    public PriorityClass {
        caps = Map.copyOf(caps);
    }
}
