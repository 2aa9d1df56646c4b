package io.muster.tenancy;

import io.muster.model.TeamId;
import org.jspecify.annotations.Nullable;

/** A volume that a team, and the teams below it, may mount: {@code claim} is the PVC in the team's namespace. */
public record TeamVolume(
        TeamId team, String name, String claim, @Nullable String subPath, boolean readOnly) {}
