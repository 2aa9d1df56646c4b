package io.muster.simulator.engine;

import io.muster.model.TeamPath;
import io.muster.simulator.trace.Workload;
import java.util.List;
import java.util.Locale;

/** Teams of a trace as teams of Muster. */
public final class TeamNames {
    private static final int LONGEST = 60;

    private TeamNames() {}

    /** One team that all jobs belong to, whosever they are. */
    public static final List<TeamPath> ONE = List.of(new TeamPath("all"));

    /** Each team once, in order of name. */
    public static List<TeamPath> of(Workload workload) {
        return workload.jobs().stream()
                .map(job -> path(job.owner().team()))
                .distinct()
                .sorted()
                .toList();
    }

    /** The name in lower case, with dashes for what a team's name cannot hold. */
    static TeamPath path(String name) {
        String slug =
                name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        return new TeamPath(
                slug.isEmpty()
                        ? "team"
                        : slug.substring(0, Math.min(LONGEST, slug.length())).replaceAll("-$", ""));
    }
}
