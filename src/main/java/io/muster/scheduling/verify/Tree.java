package io.muster.scheduling.verify;

import io.muster.model.TeamId;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.TeamView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who stands above and below whom. */
final class Tree {
    private final Map<TeamId, TeamView> teams = new HashMap<>();
    private final List<Step> tops = new ArrayList<>();
    private final Map<Step, List<Step>> below = new HashMap<>();
    private final Map<TeamId, List<Step>> ways = new HashMap<>();

    /**
     * One step of a team's way to the top.
     *
     * @param own stands for the jobs of an inner team itself
     */
    record Step(TeamId team, boolean own) {}

    Tree(ClusterSnapshot snapshot) {
        Set<TeamId> withJobs = new HashSet<>();
        snapshot.waiting().forEach(w -> withJobs.add(w.facts().team()));
        snapshot.running().forEach(r -> withJobs.add(r.facts().team()));
        snapshot.teams().forEach(t -> teams.put(t.id(), t));
        var sorted = snapshot.teams().stream()
                .sorted(Comparator.comparing(TeamView::path).thenComparing(TeamView::id))
                .toList();
        for (var team : sorted) {
            var step = new Step(team.id(), false);
            var above = above(team);
            if (above == null) {
                tops.add(step);
            } else {
                below.computeIfAbsent(new Step(above.id(), false), s -> new ArrayList<>())
                        .add(step);
            }
        }
        for (var team : sorted) {
            var inner = below.get(new Step(team.id(), false));
            if (inner != null && withJobs.contains(team.id())) {
                inner.add(new Step(team.id(), true));
            }
        }
        sorted.forEach(team -> ways.put(team.id(), wayOf(team)));
    }

    private @Nullable TeamView above(TeamView team) {
        return team.parent() == null ? null : teams.get(team.parent());
    }

    private List<Step> wayOf(TeamView team) {
        var way = new ArrayList<Step>();
        if (below.containsKey(new Step(team.id(), false))) {
            way.add(new Step(team.id(), true));
        }
        var at = team;
        while (at != null && way.size() <= teams.size() + 1) {
            way.add(new Step(at.id(), false));
            at = above(at);
        }
        return List.copyOf(way);
    }

    @Nullable TeamView team(TeamId id) {
        return teams.get(id);
    }

    /** The team and those above it, from below; an inner team's own jobs first. Empty for an unknown team. */
    List<Step> way(TeamId team) {
        return ways.getOrDefault(team, List.of());
    }

    List<Step> tops() {
        return tops;
    }

    List<Step> below(Step step) {
        return step.own ? List.of() : below.getOrDefault(step, List.of());
    }

    /** Those under the same parent, the step itself left out. */
    List<Step> siblings(Step step, @Nullable Step parent) {
        return (parent == null ? tops : below(parent))
                .stream().filter(s -> !s.equals(step)).toList();
    }
}
