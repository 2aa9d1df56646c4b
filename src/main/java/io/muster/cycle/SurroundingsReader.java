package io.muster.cycle;

import static java.util.stream.Collectors.toMap;

import io.muster.database.Sight;
import io.muster.inventory.Fleet;
import io.muster.inventory.GpuType;
import io.muster.inventory.Node;
import io.muster.inventory.Pool;
import io.muster.model.GpuTypeId;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.TeamOrder;
import io.muster.policy.OperatingMode;
import io.muster.policy.PolicyBook;
import io.muster.policy.PolicyRevision;
import io.muster.policy.PolicyValues;
import io.muster.policy.PriorityClass;
import io.muster.scheduling.snapshot.ModeView;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.tenancy.Team;
import io.muster.tenancy.TeamDirectory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Reads the surroundings; makes them anew only when one of the books has changed. */
@Component
class SurroundingsReader {
    private static final Logger LOG = LoggerFactory.getLogger(SurroundingsReader.class);

    private final TeamDirectory teams;
    private final PolicyBook policy;
    private final Fleet fleet;
    private @Nullable Surroundings last;

    SurroundingsReader(TeamDirectory teams, PolicyBook policy, Fleet fleet) {
        this.teams = teams;
        this.policy = policy;
        this.fleet = fleet;
    }

    synchronized Surroundings read() {
        // One look at all counters; what is then read is of that look or newer, and the mark never newer than what is
        // read.
        try (var sight = Sight.steady()) {
            var mark = new Surroundings.Mark(teams.revision(), fleet.revision(), policy.revision());
            Surroundings known = last;
            if (known == null || !known.mark().equals(mark)) {
                known = make(mark);
                last = known;
            }
            return known;
        }
    }

    /** The next read starts from nothing. */
    synchronized void forget() {
        last = null;
    }

    private Surroundings make(Surroundings.Mark mark) {
        List<Pool> pools = fleet.pools();
        List<Node> nodes =
                fleet.nodes().stream().filter(n -> hasItsPlace(n, pools)).toList();
        Map<GpuTypeId, Long> memory = fleet.gpuTypes().stream().collect(toMap(GpuType::id, GpuType::memoryMib));
        PolicyRevision revision = policy.current();
        return new Surroundings(
                mark,
                revision.number(),
                revision.values(),
                settings(revision.values()),
                mode(policy.mode()),
                classes(),
                pools,
                pools.stream().map(SurroundingsReader::view).toList(),
                nodes,
                nodes.stream().map(n -> view(n, memory)).toList(),
                teams.all(),
                teams.quotas(),
                userCaps(),
                orders(revision.values()),
                choice(new PoolChoice(pools, nodes, memory)));
    }

    /** A node that has no place among the levels of its pool cannot be planned with; its next report mends it. */
    private static boolean hasItsPlace(Node node, List<Pool> pools) {
        boolean has = pools.stream()
                .anyMatch(p -> p.id().equals(node.pool())
                        && p.levels().size() == node.domain().names().size());
        if (!has) {
            LOG.error("Node {} is left out: it is not placed among the levels of pool {}", node.id(), node.pool());
        }
        return has;
    }

    /** The same one as before when nothing of it changed: what was made with it is still good. */
    private Map<String, PriorityClass> classes() {
        Map<String, PriorityClass> now = policy.classes().stream().collect(toMap(PriorityClass::name, c -> c));
        return last != null && last.classes().equals(now) ? last.classes() : now;
    }

    private PoolChoice choice(PoolChoice now) {
        return last != null && last.poolChoice().isLike(now) ? last.poolChoice() : now;
    }

    private static PoolView view(Pool pool) {
        return new PoolView(
                pool.id(), pool.levels().stream().map(Pool.Level::name).toList());
    }

    private static NodeView view(Node node, Map<GpuTypeId, Long> memory) {
        return new NodeView(
                node.id(),
                node.pool(),
                node.gpuType(),
                memory.getOrDefault(node.gpuType(), 0L),
                node.allocatable(),
                node.foreign(),
                node.domain(),
                node.takesReplicas());
    }

    private Map<TeamId, Integer> userCaps() {
        var caps = new HashMap<TeamId, Integer>();
        for (Team team : teams.all()) {
            Integer cap = teams.defaults(team.id()).userGpuCap();
            if (cap != null) {
                caps.put(team.id(), cap);
            }
        }
        return caps;
    }

    private Map<TeamId, TeamOrder> orders(PolicyValues values) {
        var orders = new HashMap<TeamId, TeamOrder>();
        for (Team team : teams.all()) {
            TeamOrder set = teams.defaults(team.id()).order();
            orders.put(team.id(), set == null ? values.order() : set);
        }
        return orders;
    }

    private static PolicySettings settings(PolicyValues v) {
        return new PolicySettings(
                v.minRuntime(),
                v.agingStep(),
                v.agingPerStep(),
                v.agingMost(),
                v.reservationDepth(),
                v.reservationExpiry(),
                v.reclaimPercent(),
                v.reclaimWindow(),
                v.preemptionsPerDay(),
                v.protectFor(),
                v.usageStrength(),
                v.defaultRunTime());
    }

    private static ModeView mode(OperatingMode mode) {
        var pools = new HashMap<PoolId, String>();
        mode.pausedPools().forEach((pool, entry) -> pools.put(pool, entry.why()));
        var paused = new HashMap<TeamId, String>();
        mode.pausedTeams().forEach((team, entry) -> paused.put(team, entry.why()));
        return new ModeView(why(mode.paused()), why(mode.frozen()), why(mode.safe()), pools, paused);
    }

    private static @Nullable String why(OperatingMode.@Nullable Entry entry) {
        return entry == null ? null : entry.why();
    }
}
