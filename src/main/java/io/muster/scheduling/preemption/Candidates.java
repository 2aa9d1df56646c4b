package io.muster.scheduling.preemption;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.problem.Occupant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** All running jobs that could ever be asked to yield in this cycle, ranked, and by node. */
final class Candidates {
    private final List<Candidate> ranked;
    private final int[][] onNode;
    private final int[][] inLeaf;
    private final int[] openGpus;
    private final int[] lowestPriority;

    Candidates(Draft draft) {
        var problem = draft.problem();
        ranked = problem.occupants().stream()
                .filter(Candidates::mayYield)
                .map(o -> Candidate.of(o, problem.settings(), problem.asOf()))
                .filter(c -> c.open() || c.occupant().job().backfilled())
                .sorted(Candidate.FIRST_TO_GO)
                .toList();
        var byNode = lists(problem.fleet().size());
        var byLeaf = lists(problem.tree().size());
        openGpus = new int[problem.tree().size()];
        lowestPriority = new int[problem.tree().size()];
        Arrays.fill(lowestPriority, Integer.MAX_VALUE);
        for (int i = 0; i < ranked.size(); i++) {
            var occupant = ranked.get(i).occupant();
            for (var spot : occupant.spots()) {
                byNode.get(spot.node()).add(i);
            }
            byLeaf.get(occupant.leaf()).add(i);
            openGpus[occupant.leaf()] += occupant.gpus();
            lowestPriority[occupant.leaf()] =
                    Math.min(lowestPriority[occupant.leaf()], occupant.facts().priority());
        }
        onNode = arrays(byNode);
        inLeaf = arrays(byLeaf);
    }

    private static List<List<Integer>> lists(int count) {
        var lists = new ArrayList<List<Integer>>(count);
        for (int i = 0; i < count; i++) {
            lists.add(new ArrayList<>(0));
        }
        return lists;
    }

    private static int[][] arrays(List<List<Integer>> lists) {
        return lists.stream()
                .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
    }

    private static boolean mayYield(Occupant o) {
        return o.facts().preemptible() && !o.job().leaving() && o.leaf() >= 0 && o.pool() >= 0;
    }

    Candidate get(int rank) {
        return ranked.get(rank);
    }

    /** Ranks of those on {@code node}, first to go first. */
    int[] on(int node) {
        return onNode[node];
    }

    /** Ranks of those of the leaf, first to go first. */
    int[] in(int leaf) {
        return inLeaf[leaf];
    }

    /** GPUs that candidates of the leaf hold. */
    int gpusIn(int leaf) {
        return openGpus[leaf];
    }

    /** The lowest priority of a candidate of the leaf; {@code Integer.MAX_VALUE} when it has none. */
    int lowestPriority(int leaf) {
        return lowestPriority[leaf];
    }
}
