package io.muster.tenancy;

import io.muster.model.TeamId;
import io.muster.model.UserId;
import org.jspecify.annotations.Nullable;

/** A user or a service account ({@code serviceOf} is its team) as others see it. */
public record Person(
        UserId id,
        String username,
        String displayName,
        boolean platformAdmin,
        boolean disabled,
        @Nullable TeamId serviceOf) {}
