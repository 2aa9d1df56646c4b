package io.muster.scheduling.verify;

import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.ReservationView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which nodes are kept for which shape, as the snapshot shows the machine. */
final class KeptFacts {
    private final World world;
    private final ShareFacts shares;
    private final Set<NodeId> given = new HashSet<>();

    private record Kind(PoolId pool, GpuTypeId type, long memory) {
        static final Comparator<Kind> ORDER =
                Comparator.comparing(Kind::pool).thenComparing(Kind::type).thenComparingLong(Kind::memory);
    }

    /** One domain's nodes that would be kept, in order of their use; {@code stuck}: only once firm jobs of others ended. */
    private record Choice(List<NodeId> nodes, boolean stuck, int used) {}

    private record Held(Map<NodeId, Integer> own, Map<NodeId, Integer> firm, Map<NodeId, Integer> soft) {}

    KeptFacts(World world, ShareFacts shares) {
        this.world = world;
        this.shares = shares;
    }

    /** {@code left}: domains of each shape that its team does not use yet. */
    Map<Promised, Set<NodeId>> nodes(List<Promised> shapes, Map<Promised, Integer> left) {
        var kept = new HashMap<Promised, Set<NodeId>>();
        for (var shape : shapes) {
            var nodes = new HashSet<NodeId>();
            choose(shape, left.getOrDefault(shape, 0)).forEach(c -> nodes.addAll(c.nodes));
            given.addAll(nodes);
            kept.put(shape, nodes);
        }
        return kept;
    }

    private List<Choice> choose(Promised shape, int wanted) {
        var kinds = new HashMap<Kind, List<NodeView>>();
        for (var node : world.snapshot.nodes()) {
            if (node.pool().equals(shape.pool())) {
                kinds.computeIfAbsent(
                                new Kind(node.pool(), node.gpuType(), node.gpuMemoryMib()), k -> new ArrayList<>())
                        .add(node);
            }
        }
        List<Choice> best = List.of();
        for (var kind : kinds.keySet().stream().sorted(Kind.ORDER).toList()) {
            var found = choices(shape, kinds.getOrDefault(kind, List.of()));
            found = found.subList(0, Math.min(Math.max(0, wanted), found.size()));
            if (worth(found, false) > worth(best, false)
                    || (worth(found, false) == worth(best, false) && found.size() > best.size())
                    || (worth(found, false) == worth(best, false)
                            && found.size() == best.size()
                            && worth(found, true) < worth(best, true))) {
                best = found;
            }
        }
        return best;
    }

    private static int worth(List<Choice> choices, boolean inUse) {
        return choices.stream().mapToInt(c -> inUse ? c.used : c.stuck ? 0 : 1).sum();
    }

    private List<Choice> choices(Promised shape, List<NodeView> nodes) {
        var sorted = new ArrayList<>(nodes);
        sorted.sort(Comparator.comparing((NodeView n) -> new DomainPath(names(shape, n)))
                .thenComparing(NodeView::id));
        var domains = new LinkedHashMap<List<String>, List<NodeView>>();
        for (var node : sorted) {
            var path = names(shape, node).subList(0, shape.depth() + 1);
            if (!path.getLast().isEmpty()) {
                domains.computeIfAbsent(path, p -> new ArrayList<>()).add(node);
            }
        }
        var held = held(shape);
        var choices = new ArrayList<Choice>();
        for (var domain : domains.values()) {
            var choice = choice(shape, domain, held, false);
            choice = choice == null ? choice(shape, domain, held, true) : choice;
            if (choice != null) {
                choices.add(choice);
            }
        }
        choices.sort(Comparator.comparing(Choice::stuck).thenComparingInt(Choice::used));
        return choices;
    }

    /** One name per level of the pool, empty where the node lacks the label; the node's own name last. */
    private static List<String> names(Promised shape, NodeView node) {
        var given = node.domain().names();
        var names = new ArrayList<String>();
        for (int i = 0; i < shape.levels().size() - 1; i++) {
            names.add(i + 1 < given.size() ? given.get(i) : "");
        }
        names.add(node.id().value());
        return names;
    }

    private @Nullable Choice choice(Promised shape, List<NodeView> domain, Held held, boolean stuck) {
        var order = new ArrayList<>(domain);
        order.removeIf(n -> !n.takesReplicas() || given.contains(n.id()));
        order.sort(Comparator.comparingInt((NodeView n) -> held.firm.getOrDefault(n.id(), 0))
                .thenComparingInt(n -> held.soft.getOrDefault(n.id(), 0))); // stable: else in tree order
        var chosen = new ArrayList<NodeId>();
        int sum = 0;
        int used = 0;
        for (var node : order) {
            int firm = held.firm.getOrDefault(node.id(), 0);
            int room = node.allocatable().gpus()
                    - node.foreign().gpus()
                    - held.own.getOrDefault(node.id(), 0)
                    - (stuck ? 0 : firm);
            if (sum < shape.shape().gpus() && room > 0) {
                chosen.add(node.id());
                sum += room;
                used += firm + held.soft.getOrDefault(node.id(), 0);
            }
        }
        return sum < shape.shape().gpus() ? null : new Choice(chosen, stuck, used);
    }

    private Held held(Promised shape) {
        var held = new Held(new HashMap<>(), new HashMap<>(), new HashMap<>());
        for (var job : world.snapshot.running()) {
            if (!job.leaving()) {
                var into = isOf(shape, job.facts()) ? held.own : job.facts().preemptible() ? held.soft : held.firm;
                add(into, job.placements());
            }
        }
        for (var r : world.snapshot.reservations()) {
            var waits = world.waiting.get(r.job());
            var runs = world.running.get(r.job());
            var facts = waits != null ? waits.facts() : runs != null ? runs.facts() : null;
            if (facts != null && shares.knows(facts.team()) && r.kind() != ReservationView.Kind.HEAD) {
                add(isOf(shape, facts) ? held.own : held.firm, r.placements());
            }
        }
        return held;
    }

    private boolean isOf(Promised shape, JobFacts facts) {
        return shares.way(facts.team()).contains(shape.owner());
    }

    private static void add(Map<NodeId, Integer> sums, List<ReplicaPlacement> placements) {
        placements.forEach(p -> sums.merge(p.node(), p.amount().gpus(), Integer::sum));
    }
}
