package io.muster.cycle;

import io.muster.accounting.DecayedUsage;
import io.muster.model.AttemptId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.scheduling.snapshot.QuotaView;
import io.muster.scheduling.snapshot.TeamView;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamQuota;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the core sees besides jobs: pools, nodes with what nobody speaks for, and the tree of teams. */
final class GroundViews {
    private GroundViews() {}

    static List<PoolView> pools(World world, Surroundings around) {
        return world.reclaimed().isEmpty()
                ? around.poolViews()
                : around.poolViews().stream()
                        .map(p -> new PoolView(
                                p.id(), p.levels(), world.reclaimed().getOrDefault(p.id(), 0)))
                        .toList();
    }

    /** What is held by an attempt that no running job speaks for is foreign to the core: it cannot be planned. */
    static List<NodeView> nodes(World world, Surroundings around, Set<AttemptId> counted) {
        Set<NodeId> closed = world.unplannable().closedNodes();
        var stray = new HashMap<NodeId, Resources>();
        world.held().forEach((attempt, replicas) -> {
            if (!counted.contains(attempt)) {
                replicas.values().forEach(r -> stray.merge(r.node(), r.amount(), Resources::plus));
            }
        });
        return stray.isEmpty() && closed.isEmpty()
                ? around.nodeViews()
                : around.nodeViews().stream()
                        .map(n -> with(n, stray.get(n.id()), closed.contains(n.id())))
                        .toList();
    }

    private static NodeView with(NodeView n, @Nullable Resources more, boolean closed) {
        return more == null && !closed
                ? n
                : new NodeView(
                        n.id(),
                        n.pool(),
                        n.gpuType(),
                        n.gpuMemoryMib(),
                        n.allocatable(),
                        more == null ? n.foreign() : n.foreign().plus(more),
                        n.domain(),
                        n.takesReplicas() && !closed);
    }

    static List<TeamView> teams(World world, Surroundings around) {
        Map<TeamId, Team> all = new HashMap<>();
        around.teams().forEach(team -> all.put(team.id(), team));
        Set<TeamId> needed = new HashSet<>();
        around.teams().stream().filter(t -> !t.archived()).forEach(t -> needed.add(t.id()));
        world.jobs().forEach(job -> addWithAncestors(job.team(), all, needed));
        Map<TeamId, Map<PoolId, QuotaView>> quotas = new HashMap<>();
        for (TeamQuota q : around.quotas()) {
            double used = world.usage().getOrDefault(new DecayedUsage.Place(q.team(), q.pool()), 0.0);
            quotas.computeIfAbsent(q.team(), t -> new HashMap<>())
                    .put(
                            q.pool(),
                            new QuotaView(q.guaranteed(), q.limit(), q.lendable(), q.weight(), used, q.shapes()));
        }
        Map<TeamId, Map<PoolId, Map<UserId, Double>>> used = new HashMap<>();
        world.userUse()
                .forEach((place, users) ->
                        used.computeIfAbsent(place.team(), t -> new HashMap<>()).put(place.pool(), users));
        return around.teams().stream()
                .filter(t -> needed.contains(t.id()))
                .map(t -> new TeamView(
                        t.id(),
                        t.parent(),
                        t.path(),
                        quotas.getOrDefault(t.id(), Map.of()),
                        around.userCaps().get(t.id()),
                        around.order(t.id()),
                        used.getOrDefault(t.id(), Map.of())))
                .toList();
    }

    private static void addWithAncestors(TeamId id, Map<TeamId, Team> all, Set<TeamId> needed) {
        for (Team team = all.get(id); team != null && needed.add(team.id()); ) {
            team = team.parent() == null ? null : all.get(team.parent());
        }
    }
}
