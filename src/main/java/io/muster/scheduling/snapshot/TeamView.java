package io.muster.scheduling.snapshot;

import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.TeamOrder;
import io.muster.model.TeamPath;
import io.muster.model.UserId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A team.
 *
 * @param parent the team above, or null at the top
 * @param quotas by pool; a pool without one: guaranteed 0, no limit, weight 1
 * @param userCap most GPUs that one user may hold in this team and pool together, or null: no cap
 * @param order which of its own jobs goes first; inner teams have orders of their own
 * @param userUse by pool and user, decayed past use over the mean of the team's users there; 1.0 means as much as all;
 *     absent: none
 */
public record TeamView(
        TeamId id,
        @Nullable TeamId parent,
        TeamPath path,
        Map<PoolId, QuotaView> quotas,
        @Nullable Integer userCap,
        TeamOrder order,
        Map<PoolId, Map<UserId, Double>> userUse) {
    public TeamView {
        quotas = Map.copyOf(quotas);
        userUse = Map.copyOf(userUse);
    }

    /** First come, first served, and nobody used anything yet. */
    public TeamView(
            TeamId id,
            @Nullable TeamId parent,
            TeamPath path,
            Map<PoolId, QuotaView> quotas,
            @Nullable Integer userCap) {
        this(id, parent, path, quotas, userCap, TeamOrder.FIFO, Map.of());
    }
}
