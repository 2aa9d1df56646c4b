package io.muster.scheduling.verify;

import io.muster.model.GpuTypeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.scheduling.verify.Breach.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of a place: the gang is whole, or as large as an elastic one may be, on nodes that take it, of one pool and type, in the domain it requires. */
final class PlaceRules {
    private final World world;

    PlaceRules(World world) {
        this.world = world;
    }

    /**
     * What is wrong with the place, first things first; empty when nothing is.
     *
     * @param hurries it waits for no preferred level any more
     */
    List<Finding> check(
            WaitingJob job, PoolId pool, @Nullable GpuTypeId type, List<ReplicaPlacement> on, boolean hurries) {
        var findings = new ArrayList<>(size(job, on));
        var nodes = nodes(on, findings);
        if (nodes.isEmpty()) {
            return findings;
        }
        kinds(job.facts(), pool, type, nodes, findings);
        for (var node : nodes) {
            if (!node.takesReplicas()) {
                findings.add(new Finding(Rule.NODE_TAKES_NO_REPLICAS, node.id().value()));
            }
            if (job.excludedNodes().contains(node.id())) {
                findings.add(new Finding(Rule.EXCLUDED_NODE, node.id().value()));
            }
        }
        topology(job, pool, nodes, hurries, findings);
        slices(job.facts(), pool, on, findings);
        return findings;
    }

    /** Whether it has as many replicas as the job may have. */
    List<Finding> size(WaitingJob job, List<ReplicaPlacement> on) {
        return isWhole(job.facts(), on)
                ? List.of()
                : List.of(new Finding(
                        Rule.GANG_NOT_WHOLE,
                        on.size() + " replicas of " + job.facts().groups()));
    }

    /** A rule and what breaks it. */
    record Finding(Rule rule, String detail) {}

    private static boolean isWhole(JobFacts facts, List<ReplicaPlacement> on) {
        Map<String, Resources> wanted = new HashMap<>();
        for (var group : facts.groups()) {
            long size = on.stream().filter(p -> p.group().equals(group.name())).count();
            if (size < group.min() || size > group.replicas()) {
                return false;
            }
            for (int i = 0; i < size; i++) {
                wanted.put(group.name() + "/" + i, group.each());
            }
        }
        for (var p : on) {
            if (!p.amount().equals(wanted.remove(p.group() + "/" + p.index()))) {
                return false;
            }
        }
        return true;
    }

    private Set<NodeView> nodes(List<ReplicaPlacement> on, List<Finding> findings) {
        var nodes = new HashSet<NodeView>();
        for (var p : on) {
            var node = world.nodes.get(p.node());
            if (node == null) {
                findings.add(new Finding(Rule.NODE_TAKES_NO_REPLICAS, "no node " + p.node()));
            } else {
                nodes.add(node);
            }
        }
        return nodes;
    }

    private static void kinds(
            JobFacts facts, PoolId pool, @Nullable GpuTypeId type, Set<NodeView> nodes, List<Finding> findings) {
        var one = type == null ? nodes.iterator().next().gpuType() : type;
        boolean accepted = facts.pools().contains(pool)
                && (facts.gpuTypes().isEmpty() || facts.gpuTypes().contains(one));
        for (var node : nodes) {
            accepted &= node.pool().equals(pool)
                    && node.gpuType().equals(one)
                    && node.gpuMemoryMib() >= facts.minGpuMemoryMib();
        }
        if (!accepted) {
            findings.add(new Finding(Rule.WRONG_POOL_OR_TYPE, pool + " " + one));
        }
    }

    private void topology(WaitingJob job, PoolId pool, Set<NodeView> nodes, boolean hurries, List<Finding> findings) {
        var wish = job.facts().topology();
        var until = job.waitingSince().plus(wish.patience());
        boolean patient = !hurries && world.snapshot.asOf().isBefore(until);
        if (wish.require() != null && !isOneDomain(pool, wish.require(), nodes)) {
            findings.add(new Finding(Rule.TOPOLOGY, "not in one " + wish.require()));
        }
        if (wish.prefer() != null
                && patient
                && hasLevel(pool, wish.prefer())
                && isFiner(pool, wish.prefer(), wish.require())
                && !isOneDomain(pool, wish.prefer(), nodes)) {
            findings.add(new Finding(Rule.TOPOLOGY, "not in one " + wish.prefer() + " before " + until));
        }
    }

    private void slices(JobFacts facts, PoolId pool, List<ReplicaPlacement> on, List<Finding> findings) {
        for (var group : facts.groups()) {
            var slices = group.slices();
            for (int first = 0; slices != null && first < group.replicas(); first += slices.size()) {
                var nodes = new HashSet<NodeView>();
                for (var p : on) {
                    var node = world.nodes.get(p.node());
                    if (node != null
                            && p.group().equals(group.name())
                            && p.index() / slices.size() == first / slices.size()) {
                        nodes.add(node);
                    }
                }
                if (!nodes.isEmpty() && !isOneDomain(pool, slices.level(), nodes)) {
                    findings.add(new Finding(
                            Rule.TOPOLOGY,
                            "slice of " + group.name() + " from " + first + " not in one " + slices.level()));
                }
            }
        }
    }

    private List<String> levels(PoolId pool) {
        var view = world.pools.get(pool);
        return view == null || view.levels().isEmpty() ? List.of("node") : view.levels();
    }

    private boolean hasLevel(PoolId pool, String level) {
        return levels(pool).contains(level);
    }

    private boolean isFiner(PoolId pool, String level, @Nullable String than) {
        return than == null || levels(pool).indexOf(level) > levels(pool).indexOf(than);
    }

    private boolean isOneDomain(PoolId pool, String level, Set<NodeView> nodes) {
        int depth = levels(pool).indexOf(level) + 1;
        if (depth == 0) {
            return false;
        }
        if (depth == levels(pool).size()) {
            return nodes.size() == 1;
        }
        List<String> shared = null;
        for (var node : nodes) {
            var names = node.domain().names();
            if (names.size() <= depth || names.get(depth - 1).isEmpty()) {
                return false;
            }
            var own = names.subList(0, depth);
            if (shared != null && !Objects.equals(shared, own)) {
                return false;
            }
            shared = own;
        }
        return true;
    }
}
