package io.muster.scheduling.preemption;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.problem.Occupant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** All running jobs that could ever be asked to yield in this cycle, ranked, and by node. */
final class Candidates {
    private final Candidate[] ranked;
    private final Groups onNode;
    private final Groups inLeaf;
    private final int[] openGpus;
    private final int[] lowestPriority;
    private final int[] gpusOn;
    private final int[] leaves;
    private final int[] begin;
    private final Draft draft;
    /** By rank: GPUs of that candidate and of those before it in its leaf. */
    private final long[] sofar;

    Candidates(Draft draft) {
        this.draft = draft;
        var problem = draft.problem();
        var found = new ArrayList<Candidate>();
        for (var o : problem.occupants()) {
            if (mayYield(o)) {
                var candidate = Candidate.of(o, problem.settings(), problem.asOf());
                if (candidate.open() || candidate.isBackfilled()) {
                    found.add(candidate);
                }
            }
        }
        found.sort(Candidate.FIRST_TO_GO);
        ranked = found.toArray(Candidate[]::new);
        openGpus = new int[problem.tree().size()];
        lowestPriority = new int[problem.tree().size()];
        gpusOn = new int[problem.fleet().size()];
        Arrays.fill(lowestPriority, Integer.MAX_VALUE);
        sofar = new long[ranked.length];
        for (int rank = 0; rank < ranked.length; rank++) {
            var candidate = ranked[rank];
            int leaf = candidate.occupant().leaf();
            openGpus[leaf] += candidate.occupant().gpus();
            sofar[rank] = openGpus[leaf];
            lowestPriority[leaf] = Math.min(lowestPriority[leaf], candidate.priority());
            candidate
                    .occupant()
                    .spots()
                    .forEach(s -> gpusOn[s.node()] += s.amount().gpus());
        }
        onNode = new Groups(gpusOn.length, found, true);
        inLeaf = new Groups(openGpus.length, found, false);
        leaves = leavesWithAny();
        begin = new int[openGpus.length];
    }

    private int[] leavesWithAny() {
        int[] some = new int[openGpus.length];
        int count = 0;
        for (int leaf = 0; leaf < some.length; leaf++) {
            if (lowestPriority[leaf] != Integer.MAX_VALUE) {
                some[count++] = leaf;
            }
        }
        return Arrays.copyOf(some, count);
    }

    private static boolean mayYield(Occupant o) {
        return o.facts().preemptible() && !o.job().leaving() && o.leaf() >= 0 && o.pool() >= 0;
    }

    /** Ranks by node or by leaf, each group ascending. */
    private static final class Groups {
        private static final int[] NONE = {};
        private final int[][] ranks;

        Groups(int count, List<Candidate> ranked, boolean byNode) {
            int[] sizes = new int[count];
            for (var candidate : ranked) {
                if (byNode) {
                    candidate.occupant().spots().forEach(s -> sizes[s.node()]++);
                } else {
                    sizes[candidate.occupant().leaf()]++;
                }
            }
            ranks = new int[count][];
            for (int i = 0; i < count; i++) {
                ranks[i] = sizes[i] == 0 ? NONE : new int[sizes[i]];
            }
            for (int rank = ranked.size() - 1; rank >= 0; rank--) {
                var occupant = ranked.get(rank).occupant();
                if (!byNode) {
                    ranks[occupant.leaf()][--sizes[occupant.leaf()]] = rank;
                    continue;
                }
                for (var spot : occupant.spots()) {
                    ranks[spot.node()][--sizes[spot.node()]] = rank;
                }
            }
        }
    }

    Candidate get(int rank) {
        return ranked[rank];
    }

    /** Ranks of those on {@code node}, first to go first. */
    int[] on(int node) {
        return onNode.ranks[node];
    }

    /** Ranks of those of the leaf, first to go first. */
    int[] in(int leaf) {
        return inLeaf.ranks[leaf];
    }

    /** Where in {@link #in} those begin who were not asked to leave meanwhile. */
    int firstIn(int leaf) {
        int[] ranks = in(leaf);
        while (begin[leaf] < ranks.length && draft.isLeaving(ranked[ranks[begin[leaf]]].occupant())) {
            begin[leaf]++;
        }
        return begin[leaf];
    }

    /** Leaves that have any. */
    int[] leaves() {
        return leaves;
    }

    /** GPUs that candidates of the leaf with a lower priority hold. */
    long gpusBelow(int leaf, int priority) {
        int[] ranks = in(leaf);
        int low = 0;
        int high = ranks.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ranked[ranks[middle]].priority() < priority) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? 0 : sofar[ranks[low - 1]];
    }

    /** GPUs that candidates of the leaf hold. */
    int gpusIn(int leaf) {
        return openGpus[leaf];
    }

    /** GPUs that candidates hold on {@code node}. */
    int gpusOn(int node) {
        return gpusOn[node];
    }

    /** The lowest priority of a candidate of the leaf; {@code Integer.MAX_VALUE} when it has none. */
    int lowestPriority(int leaf) {
        return lowestPriority[leaf];
    }
}
