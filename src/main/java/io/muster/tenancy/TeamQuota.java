package io.muster.tenancy;

import io.muster.model.PoolId;
import io.muster.model.QuotaShape;
import io.muster.model.TeamId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A team's quota in a pool, in GPUs; null limit: none; null lendable: all of the guarantee.
 *
 * @param shapes the parts of the guarantee that come in whole domains
 */
public record TeamQuota(
        TeamId team,
        PoolId pool,
        int guaranteed,
        @Nullable Integer limit,
        @Nullable Integer lendable,
        int weight,
        List<QuotaShape> shapes) {
    public TeamQuota {
        shapes = List.copyOf(shapes);
    }

    /** A quota without shapes. */
    public TeamQuota(
            TeamId team, PoolId pool, int guaranteed, @Nullable Integer limit, @Nullable Integer lendable, int weight) {
        this(team, pool, guaranteed, limit, lendable, weight, List.of());
    }
}
