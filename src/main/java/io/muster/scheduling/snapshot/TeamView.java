package io.muster.scheduling.snapshot;

import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A team.
 *
 * @param parent the team above, or null at the top
 * @param quotas by pool; a pool without one: guaranteed 0, no limit, weight 1
 * @param userCap most GPUs that one user may hold in this team and pool together, or null: no cap
 */
public record TeamView(
        TeamId id,
        @Nullable TeamId parent,
        TeamPath path,
        Map<PoolId, QuotaView> quotas,
        @Nullable Integer userCap) {
    public TeamView {
        quotas = Map.copyOf(quotas);
    }
}
