package io.muster.tenancy;

import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import org.jspecify.annotations.Nullable;

/** A team as others see it. */
public record Team(
        TeamId id, @Nullable TeamId parent, TeamPath path, String displayName, boolean archived, int ordinal) {}
