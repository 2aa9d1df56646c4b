package io.muster.scheduling.shape;

import io.muster.model.QuotaShape;
import io.muster.model.TopologyRequest;
import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.problem.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A shape that a team was promised in a pool.
 *
 * @param owner the team's entry in the tree
 * @param levels the pool's levels from the outermost to the node
 * @param level the shape's level among them
 * @param index its place among the shapes of that quota
 */
record Owned(int owner, int pool, List<String> levels, int level, QuotaShape shape, int index) {
    /** In which domains are given out: the coarsest first, larger ones first. */
    private static final Comparator<Owned> ORDER = Comparator.comparingInt(Owned::pool)
            .thenComparingInt(Owned::level)
            .thenComparingInt(o -> -o.shape.gpus())
            .thenComparingInt(Owned::owner)
            .thenComparingInt(Owned::index);

    /** All shapes of all teams, in order; one whose level the pool does not have is nobody's. */
    static List<Owned> of(Problem problem) {
        var all = new ArrayList<Owned>();
        var tree = problem.tree();
        for (int entry = 0; entry < tree.size(); entry++) {
            if (!tree.isOwn(entry)) {
                int owner = entry;
                tree.team(entry).quotas().forEach((pool, quota) -> {
                    int number = quota.shapes().isEmpty() ? -1 : problem.fleet().poolNumber(pool);
                    if (number >= 0) {
                        add(all, owner, number, problem, quota.shapes());
                    }
                });
            }
        }
        all.sort(ORDER);
        return all;
    }

    private static void add(List<Owned> all, int owner, int pool, Problem problem, List<QuotaShape> shapes) {
        var named = problem.fleet().pools().get(pool).levels();
        var levels = named.isEmpty() ? List.of("node") : named;
        for (var shape : shapes) {
            int level = levels.indexOf(shape.level());
            if (level >= 0 && shape.count() > 0 && shape.gpus() > 0) {
                all.add(new Owned(owner, pool, levels, level, shape, all.size()));
            }
        }
    }

    /** True for the owner's own jobs and those of teams below it. */
    boolean isOf(int leaf, TeamTree tree) {
        for (int i = leaf; i != TeamTree.NO_PARENT; i = tree.parent(i)) {
            if (i == owner) {
                return true;
            }
        }
        return false;
    }

    /** How many domains a gang stands for, with the most of each; 0: it is not of this shape. */
    int domains(Gang gang, TopologyRequest topology) {
        if (topology.require() != null && levels.indexOf(topology.require()) >= level) {
            return isUnit(gang.gpus()) ? 1 : 0;
        }
        int sum = 0;
        for (var kind : gang.kinds()) {
            var slices = kind.slices();
            boolean whole = slices != null && levels.indexOf(slices.level()) >= level;
            int size = whole ? kind.sliceSize() : 1;
            if (kind.each().gpus() > 0) {
                if (!isUnit((long) size * kind.each().gpus())) {
                    return 0;
                }
                sum += kind.replicas() / size;
            }
        }
        return sum;
    }

    /** So much that no domain of the shape holds two of them. */
    private boolean isUnit(long gpus) {
        return gpus <= shape.gpus() && 2 * gpus > shape.gpus();
    }
}
