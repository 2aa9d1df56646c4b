package io.muster.scheduling.plan;

import io.muster.model.PoolId;
import io.muster.model.TeamId;
import org.jspecify.annotations.Nullable;

/**
 * The share of one team in one pool, in GPUs, with the numbers that gave it. Inner teams include the teams below them.
 *
 * @param guaranteed the guarantee in force (scaled down when promises exceed capacity)
 * @param promised the guarantee as people set it
 * @param entitlement what it gets when every team wants everything
 * @param deserved what it may reach with today's demand
 * @param demand GPUs of its running and waiting jobs, at most its limit
 * @param allocated GPUs it holds, those of leaving victims left out, those reserved for its beneficiaries included
 * @param borrowed max(0, allocated - entitlement)
 * @param lent max(0, entitlement - allocated) where others use it
 * @param withheld idle guarantee that it does not lend
 * @param surplus deserved - min(guaranteed, demand): what the split by weight gave it
 */
public record ShareRow(
        TeamId team,
        PoolId pool,
        int guaranteed,
        int promised,
        @Nullable Integer limit,
        int weight,
        int entitlement,
        int deserved,
        int demand,
        int allocated,
        int borrowed,
        int lent,
        int withheld,
        int surplus) {}
