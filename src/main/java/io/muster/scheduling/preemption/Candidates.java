package io.muster.scheduling.preemption;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.ordering.InnerOrder;
import io.muster.scheduling.problem.Occupant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All running jobs that could ever be asked to yield in this cycle; ranked, and by node, once somebody needs that. */
final class Candidates {
    private final Draft draft;
    private final boolean lastFirst;
    private final List<Candidate> all;
    private final int[] openGpus;
    private final int[] lowestPriority;
    private final int[] leaves;
    private final double[] highestRank;
    private @Nullable Ranking ranking;

    Candidates(Draft draft) {
        this.draft = draft;
        lastFirst = false;
        all = new ArrayList<>();
        var problem = draft.problem();
        var order = new InnerOrder(problem);
        openGpus = new int[problem.tree().size()];
        lowestPriority = new int[problem.tree().size()];
        Arrays.fill(lowestPriority, Integer.MAX_VALUE);
        highestRank = new double[openGpus.length];
        var spare = new Spare(draft.room());
        for (var o : problem.occupants()) {
            if (mayYield(o)) {
                var candidate = Candidate.of(o, order.rank(o), problem.settings(), problem.asOf());
                var parts = candidate.open() ? spare.parts(candidate) : List.<Candidate>of();
                if (!parts.isEmpty()) {
                    parts.forEach(this::add);
                } else if (candidate.open() || candidate.isBackfilled()) {
                    add(candidate);
                }
            }
        }
        leaves = leavesWithAny();
    }

    private Candidates(Candidates others) {
        draft = others.draft;
        lastFirst = true;
        all = new ArrayList<>(others.all);
        openGpus = others.openGpus;
        lowestPriority = others.lowestPriority;
        highestRank = others.highestRank;
        leaves = others.leaves;
    }

    /** The same jobs, of whom those who come last in their team's order go before whoever is cheaper. */
    Candidates lastFirst() {
        return new Candidates(this);
    }

    private void add(Candidate candidate) {
        int leaf = candidate.occupant().leaf();
        all.add(candidate);
        openGpus[leaf] += candidate.occupant().gpus();
        lowestPriority[leaf] = Math.min(lowestPriority[leaf], candidate.priority());
        highestRank[leaf] = Math.max(highestRank[leaf], candidate.rank());
    }

    /** First to go first. */
    private final class Ranking {
        final Candidate[] ranked;
        final Groups onNode;
        final Groups inLeaf;
        final int[] gpusOn;
        /** By leaf: where those begin who were not asked to leave meanwhile. */
        final int[] begin = new int[openGpus.length];
        /** By rank: GPUs of that candidate and of those before it in its leaf. */
        final long[] sofar;

        final Map<Integer, List<Integer>> partsOf = new HashMap<>();

        Ranking() {
            all.sort(lastFirst ? Candidate.LAST_FIRST : Candidate.CHEAPEST_FIRST);
            ranked = all.toArray(Candidate[]::new);
            gpusOn = new int[draft.problem().fleet().size()];
            sofar = new long[ranked.length];
            long[] sums = new long[openGpus.length];
            for (int rank = 0; rank < ranked.length; rank++) {
                var occupant = ranked[rank].occupant();
                sums[occupant.leaf()] += occupant.gpus();
                sofar[rank] = sums[occupant.leaf()];
                if (ranked[rank].part() != null) {
                    partsOf.computeIfAbsent(occupant.number(), n -> new ArrayList<>())
                            .add(rank);
                }
                for (var spot : occupant.spots()) {
                    gpusOn[spot.node()] += spot.amount().gpus();
                }
            }
            onNode = new Groups(gpusOn.length, all, true);
            inLeaf = new Groups(openGpus.length, all, false);
        }
    }

    private Ranking ranking() {
        if (ranking == null) {
            ranking = new Ranking();
        }
        return ranking;
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

    boolean isLastFirst() {
        return lastFirst;
    }

    /** Its rank in its team's order, where that counts before the cost; else 0 for all. */
    double place(int rank) {
        return lastFirst ? get(rank).rank() : 0;
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
        return ranking().ranked[rank];
    }

    /** Ranks of all parts of the elastic job of which {@code rank} is one, spare ones first; empty for a whole job. */
    List<Integer> partsOf(int rank) {
        var candidate = get(rank);
        return candidate.part() == null
                ? List.of()
                : ranking().partsOf.getOrDefault(candidate.occupant().number(), List.of());
    }

    /** Ranks of those on {@code node}, first to go first. */
    int[] on(int node) {
        return ranking().onNode.ranks[node];
    }

    /** Ranks of those of the leaf, first to go first. */
    int[] in(int leaf) {
        return ranking().inLeaf.ranks[leaf];
    }

    /** Where in {@link #in} those begin who were not asked to leave meanwhile. */
    int firstIn(int leaf) {
        int[] ranks = in(leaf);
        int[] begin = ranking().begin;
        while (begin[leaf] < ranks.length
                && draft.isLeaving(get(ranks[begin[leaf]]).occupant())) {
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
            if (get(ranks[middle]).priority() < priority) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? 0 : ranking().sofar[ranks[low - 1]];
    }

    /** GPUs that candidates of the leaf hold. */
    int gpusIn(int leaf) {
        return openGpus[leaf];
    }

    /** GPUs that candidates hold on {@code node}. */
    int gpusOn(int node) {
        return ranking().gpusOn[node];
    }

    /** The lowest priority of a candidate of the leaf; {@code Integer.MAX_VALUE} when it has none. */
    int lowestPriority(int leaf) {
        return lowestPriority[leaf];
    }

    /** The highest rank of a candidate of the leaf in its team's order; 0 when it has none. */
    double highestRank(int leaf) {
        return highestRank[leaf];
    }
}
