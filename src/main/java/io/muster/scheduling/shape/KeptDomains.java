package io.muster.scheduling.shape;

import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.problem.Problem;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.topology.Partition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The domains that are kept for shapes: those that others use least when the plan begins. Others go there only when there
 * is no other place for them.
 */
public final class KeptDomains {
    private final Problem problem;
    private final List<Owned> shapes;
    private final Map<Owned, BitSet> nodes = new HashMap<>();
    private final BitSet all = new BitSet();
    private final Map<Integer, BitSet> avoidedBy = new HashMap<>();
    private @Nullable InUse inUse;

    /** A domain, as it would be given to a shape. */
    private record Domain(Partition partition, int from, List<Integer> nodes, boolean blocked, int used) {
        static final Comparator<Domain> LEAST_USED = Comparator.comparing(Domain::blocked)
                .thenComparingInt(Domain::used)
                .thenComparingInt(Domain::from);
    }

    /** {@code problem}: as a pass sees it; what is kept follows from the world in which its plan begins. */
    public KeptDomains(Problem problem) {
        this.problem = problem;
        shapes = Owned.of(problem);
        if (!shapes.isEmpty()) {
            keep(problem.first());
        }
    }

    private void keep(Problem first) {
        var use = new InUse(first, shapes);
        for (var owned : shapes) {
            var burden = new Burden(first, owned);
            var kept = new BitSet();
            for (var domain : best(owned, burden, use.left(owned))) {
                domain.nodes.forEach(kept::set);
            }
            nodes.put(owned, kept);
            all.or(kept);
        }
    }

    /** The domains of that one partition which has most of what is wanted, and is used least there. */
    private List<Domain> best(Owned owned, Burden burden, int wanted) {
        List<Domain> best = List.of();
        for (var partition : problem.fleet().partitions()) {
            if (partition.pool() == owned.pool() && wanted > 0) {
                var found = domains(owned, burden, partition);
                found = found.subList(0, Math.min(wanted, found.size()));
                best = isBetter(found, best) ? found : best;
            }
        }
        return best;
    }

    private static boolean isBetter(List<Domain> found, List<Domain> best) {
        int open = (int) found.stream().filter(d -> !d.blocked).count();
        int bestOpen = (int) best.stream().filter(d -> !d.blocked).count();
        if (open != bestOpen || found.size() != best.size()) {
            return open != bestOpen ? open > bestOpen : found.size() > best.size();
        }
        return found.stream().mapToInt(Domain::used).sum()
                < best.stream().mapToInt(Domain::used).sum();
    }

    private List<Domain> domains(Owned owned, Burden burden, Partition partition) {
        var found = new ArrayList<Domain>();
        for (int d = 0; d < partition.domainCount(owned.level()); d++) {
            int from = partition.domainFrom(owned.level(), d);
            int to = partition.domainTo(owned.level(), d);
            var domain = domain(owned, burden, partition, from, to, false);
            domain = domain == null ? domain(owned, burden, partition, from, to, true) : domain;
            if (domain != null) {
                found.add(domain);
            }
        }
        found.sort(Domain.LEAST_USED);
        return found;
    }

    /** The least used nodes that make up the domain; {@code blocked}: also those that others hold for good. */
    private @Nullable Domain domain(
            Owned owned, Burden burden, Partition partition, int from, int to, boolean blocked) {
        var order = new ArrayList<Integer>();
        for (int n = from; n < to; n++) {
            if (problem.fleet().takes(n) && !all.get(n)) {
                order.add(n);
            }
        }
        order.sort(Comparator.comparingInt((Integer n) -> burden.firm[n])
                .thenComparingInt(n -> burden.used[n])
                .thenComparingInt(n -> n));
        var chosen = new ArrayList<Integer>();
        int sum = 0;
        int used = 0;
        for (int n : order) {
            int room = problem.fleet().ours(n).gpus() - burden.own[n] - (blocked ? 0 : burden.firm[n]);
            if (sum < owned.shape().gpus() && room > 0) {
                chosen.add(n);
                sum += room;
                used += burden.firm[n] + burden.used[n];
            }
        }
        return sum < owned.shape().gpus() ? null : new Domain(partition, from, chosen, blocked, used);
    }

    /** GPUs by node: what the owner holds, what others hold for good, and what others hold that can yield. */
    private static final class Burden {
        final int[] own;
        final int[] firm;
        final int[] used;

        Burden(Problem first, Owned owned) {
            int size = first.fleet().size();
            own = new int[size];
            firm = new int[size];
            used = new int[size];
            for (var o : first.occupants()) {
                if (!o.job().leaving()) {
                    boolean isOwn = owned.isOf(o.leaf(), first.tree());
                    add(isOwn ? own : o.facts().preemptible() ? used : firm, o.spots());
                }
            }
            for (var r : first.snapshot().reservations()) {
                var waiting = first.claimant(r.job());
                var running = first.occupant(r.job());
                int leaf = waiting != null ? waiting.leaf() : running != null ? running.leaf() : -1;
                if (r.kind() != ReservationView.Kind.HEAD && leaf >= 0) {
                    add(owned.isOf(leaf, first.tree()) ? own : firm, Occupant.spots(r.placements(), first.fleet()));
                }
            }
        }

        private static void add(int[] sums, List<Occupant.Spot> spots) {
            spots.forEach(s -> sums[s.node()] += s.amount().gpus());
        }
    }

    /** False in a world without shapes: then nothing here decides anything. */
    public boolean any() {
        return !shapes.isEmpty();
    }

    /** The same job as it looks for places elsewhere than in what is kept for others; itself when nothing is. */
    public Claimant avoiding(Claimant claimant) {
        return any() ? claimant.without(avoidedBy(claimant.leaf())) : claimant;
    }

    /** True when the place lies where something is kept for others. */
    public boolean isBorrowedBy(Claimant claimant, Layout layout) {
        if (!any()) {
            return false;
        }
        var avoided = avoidedBy(claimant.leaf());
        return layout.spots().stream().anyMatch(s -> avoided.get(s.node()));
    }

    /** Nodes that are kept for other teams than that of {@code leaf}. */
    public BitSet avoidedBy(int leaf) {
        return avoidedBy.computeIfAbsent(leaf, l -> {
            var others = new BitSet();
            nodes.forEach((owned, kept) -> {
                if (!owned.isOf(l, problem.tree())) {
                    others.or(kept);
                }
            });
            return others;
        });
    }

    List<Owned> shapes() {
        return shapes;
    }

    /** Who stands in covered domains as this pass sees the world. */
    InUse inUse() {
        if (inUse == null) {
            inUse = new InUse(problem, shapes);
        }
        return inUse;
    }
}
