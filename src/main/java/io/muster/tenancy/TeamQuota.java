package io.muster.tenancy;

import io.muster.model.PoolId;
import io.muster.model.TeamId;
import org.jspecify.annotations.Nullable;

/** A team's quota in a pool, in GPUs; null limit: none; null lendable: all of the guarantee. */
public record TeamQuota(
        TeamId team,
        PoolId pool,
        int guaranteed,
        @Nullable Integer limit,
        @Nullable Integer lendable,
        int weight) {}
