package io.muster.scheduling.property;

import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.scheduling.snapshot.TeamView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A world and what happens in it. It can be made smaller as long as it still fails. */
record Scenario(List<PoolView> pools, List<NodeView> nodes, List<TeamView> teams, List<Event> events) {
    private static final int MOST_TRIES = 600;

    /** The smallest scenario found that still {@code fails}: fewer events, then fewer nodes, then fewer teams. */
    Scenario shrunk(Predicate<Scenario> fails) {
        var budget = new int[] {MOST_TRIES};
        var smallest = this;
        for (var before = 0; before != smallest.size() && budget[0] > 0; ) {
            before = smallest.size();
            var now = smallest;
            smallest =
                    new Scenario(pools, now.nodes, now.teams, fewer(now.events, e -> fails.test(now.with(e)), budget));
            var less = smallest;
            smallest = new Scenario(
                    pools, fewer(less.nodes, n -> fails.test(less.withNodes(n)), budget), less.teams, less.events);
            var least = smallest;
            smallest = new Scenario(
                    pools, least.nodes, fewer(least.teams, t -> fails.test(least.withTeams(t)), budget), least.events);
        }
        return smallest;
    }

    private int size() {
        return events.size() + nodes.size() + teams.size();
    }

    private Scenario with(List<Event> fewer) {
        return new Scenario(pools, nodes, teams, fewer);
    }

    private Scenario withNodes(List<NodeView> fewer) {
        return new Scenario(pools, fewer, teams, events);
    }

    private Scenario withTeams(List<TeamView> fewer) {
        return new Scenario(pools, nodes, fewer, events);
    }

    /** Leaves out halves, quarters and so on down to single entries, as long as what is left still fails. */
    private static <T> List<T> fewer(List<T> all, Predicate<List<T>> fails, int[] budget) {
        var left = all;
        for (int chunk = Math.max(1, left.size() / 2); chunk >= 1; chunk /= 2) {
            for (int from = 0; from < left.size() && budget[0] > 0; ) {
                var without = new ArrayList<>(left.subList(0, from));
                without.addAll(left.subList(Math.min(left.size(), from + chunk), left.size()));
                budget[0]--;
                if (!without.isEmpty() && fails.test(without)) {
                    left = without;
                } else {
                    from += chunk;
                }
            }
        }
        return left;
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        nodes.forEach(n -> text.append("\n  ")
                .append(n.id())
                .append(' ')
                .append(n.allocatable().gpus())
                .append(' ')
                .append(n.gpuType()));
        teams.forEach(t -> text.append("\n  ").append(t.path()).append(' ').append(t.quotas()));
        return text.append("\n  ").append(events).toString();
    }
}
