package io.muster.scheduling.verify;

import io.muster.model.GpuTypeId;
import io.muster.model.GroupShape;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.NodeView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** In which pool a waiting job stands: the first of its preference that, empty and healthy, could hold it, or its fewest replicas. */
final class Holdable {
    private static final Comparator<Kind> NODE_KINDS =
            Comparator.comparing(Kind::type).thenComparingLong(Kind::memory);

    private static final Comparator<GroupShape> HARDEST_FIRST = Comparator.comparingInt(
                    (GroupShape g) -> g.each().gpus())
            .thenComparingLong(g -> g.each().memoryBytes())
            .thenComparingLong(g -> g.each().cpuMillis())
            .thenComparingInt(g -> g.slices() == null ? 1 : g.slices().size())
            .reversed()
            .thenComparing(g -> g.slices() == null ? "" : g.slices().level());

    private final Map<PoolId, Map<Kind, List<NodeView>>> nodes = new HashMap<>();
    private final Map<PoolId, List<String>> levels = new HashMap<>();
    private final Map<Wish, Optional<PoolId>> known = new HashMap<>();

    private record Kind(GpuTypeId type, long memory) {}

    private record Wish(
            List<PoolId> pools,
            List<GpuTypeId> types,
            long memory,
            List<GroupShape> groups,
            @Nullable String level) {}

    Holdable(ClusterSnapshot snapshot) {
        for (var pool : snapshot.pools()) {
            levels.put(pool.id(), pool.levels().isEmpty() ? List.of("node") : pool.levels());
        }
        snapshot.nodes().stream()
                .sorted(Comparator.comparing((NodeView n) -> above(n).toString())
                        .thenComparing(NodeView::id))
                .forEach(n -> nodes.computeIfAbsent(n.pool(), p -> new HashMap<>())
                        .computeIfAbsent(new Kind(n.gpuType(), n.gpuMemoryMib()), k -> new ArrayList<>())
                        .add(n));
    }

    @Nullable PoolId pool(JobFacts facts) {
        var wish = new Wish(
                facts.pools(),
                facts.gpuTypes(),
                facts.minGpuMemoryMib(),
                facts.groups(),
                facts.topology().require());
        return known.computeIfAbsent(wish, w -> Optional.ofNullable(find(facts)))
                .orElse(null);
    }

    private @Nullable PoolId find(JobFacts facts) {
        List<@Nullable GpuTypeId> types = new ArrayList<>(facts.gpuTypes());
        if (types.isEmpty()) {
            types.add(null);
        }
        for (var type : types) {
            for (var pool : facts.pools()) {
                if (levels.containsKey(pool) && holds(facts, pool, type)) {
                    return pool;
                }
            }
        }
        return null;
    }

    private boolean holds(JobFacts facts, PoolId pool, @Nullable GpuTypeId type) {
        var kinds = nodes.getOrDefault(pool, Map.of());
        return kinds.entrySet().stream()
                .filter(e ->
                        (type == null || e.getKey().type.equals(type)) && e.getKey().memory >= facts.minGpuMemoryMib())
                .sorted(Map.Entry.comparingByKey(NODE_KINDS))
                .anyMatch(e -> domains(e.getValue(), pool, facts.topology().require()).stream()
                        .anyMatch(domain -> holds(facts, pool, domain)));
    }

    /** The nodes of each domain of the level; all together when none is asked for, nothing when there is no such level. */
    private List<List<NodeView>> domains(List<NodeView> all, PoolId pool, @Nullable String level) {
        if (level == null) {
            return List.of(all);
        }
        var names = levels.getOrDefault(pool, List.of());
        int depth = names.indexOf(level) + 1;
        if (depth == 0) {
            return List.of();
        }
        if (depth == names.size()) {
            return all.stream().map(List::of).toList();
        }
        var domains = new LinkedHashMap<List<String>, List<NodeView>>();
        for (var node : all) {
            var above = above(node);
            if (above.size() >= depth && !above.get(depth - 1).isEmpty()) {
                domains.computeIfAbsent(above.subList(0, depth), d -> new ArrayList<>())
                        .add(node);
            }
        }
        return List.copyOf(domains.values());
    }

    /** A node's domains without the node itself. */
    private static List<String> above(NodeView node) {
        var names = node.domain().names();
        return names.isEmpty() ? List.of() : names.subList(0, names.size() - 1);
    }

    /** Replicas or slices are seated one by one, the most demanding first, each on the first nodes with room. */
    private boolean holds(JobFacts facts, PoolId pool, List<NodeView> domain) {
        var left = new HashMap<NodeId, Resources>();
        domain.forEach(node -> left.put(node.id(), node.allocatable()));
        for (var group : facts.groups().stream().sorted(HARDEST_FIRST).toList()) {
            var slices = group.slices();
            int size = slices == null ? 1 : slices.size();
            var places =
                    slices == null ? domain.stream().map(List::of).toList() : domains(domain, pool, slices.level());
            int place = 0;
            for (int seated = 0; seated < group.min(); seated += size) {
                while (place < places.size() && !seat(group.each(), size, places.get(place), left)) {
                    place++;
                }
                if (place == places.size()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Takes the first room for {@code size} replicas among the nodes; takes nothing when there is too little. */
    private static boolean seat(Resources each, int size, List<NodeView> nodes, Map<NodeId, Resources> left) {
        var taken = new ArrayList<NodeId>();
        for (var node : nodes) {
            while (taken.size() < size && Fit.fits(each, left.getOrDefault(node.id(), Resources.NONE))) {
                left.merge(node.id(), each, Resources::minus);
                taken.add(node.id());
            }
        }
        if (taken.size() == size) {
            return true;
        }
        taken.forEach(node -> left.merge(node, each, Resources::plus));
        return false;
    }
}
