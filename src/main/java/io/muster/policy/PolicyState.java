package io.muster.policy;

import io.muster.model.TeamId;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Everything that policy reads answer from, at one revision; {@code granted}: the teams of a class, inner ones too. */
record PolicyState(
        PolicyRevision current,
        List<PriorityClass> classes,
        Map<String, Set<TeamId>> granted,
        OperatingMode mode,
        List<ModeEntry> entries) {}
