package io.muster.web.view;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The share of a team in a pool now, in GPUs, with the numbers that gave it; see ShareRow of the core. */
public record ShareView(
        String team,
        @Nullable String parent,
        String pool,
        Instant asOf,
        int capacity,
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
        int surplus,
        double usage) {}
