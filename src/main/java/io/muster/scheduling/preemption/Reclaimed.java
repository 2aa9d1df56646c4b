package io.muster.scheduling.preemption;

import io.muster.scheduling.fairshare.TeamTree;
import java.util.BitSet;

/**
 * What a claim has reclaimed below each team. Who is asked first is free to choose, and the last of a team need only find
 * it above its share before itself: so the largest of a team counts as the last, whenever it was taken.
 */
final class Reclaimed {
    /** Larger ones count as if they had this size, which allows less than the rule does, never more. */
    private static final int LARGEST = 63;

    private final TeamTree tree;
    private final int[] sums;
    private final int[][] ofSize;
    private final int[] largest;
    private final BitSet ranOut = new BitSet();

    Reclaimed(TeamTree tree) {
        this.tree = tree;
        sums = new int[tree.size()];
        ofSize = new int[tree.size()][];
        largest = new int[tree.size()];
    }

    /** Counts a victim of so many GPUs in (1) or out (-1), below {@code common}. */
    void count(int leaf, int common, int gpus, int sign) {
        for (int i = leaf; i != common; i = tree.parent(i)) {
            sums[i] += sign * gpus;
            if (ofSize[i] == null) {
                ofSize[i] = new int[LARGEST + 1];
            }
            int size = Math.min(gpus, LARGEST);
            ofSize[i][size] += sign;
            largest[i] = Math.max(largest[i], size);
            while (largest[i] > 0 && ofSize[i][largest[i]] == 0) {
                largest[i]--;
            }
        }
    }

    /** GPUs by which the entry stands higher for a victim of {@code gpus} when the largest so far comes after it. */
    int later(int entry, int gpus) {
        return Math.max(0, largest[entry] - gpus);
    }

    /** GPUs reclaimed below the entry. */
    int sum(int entry) {
        return sums[entry];
    }

    /** Notes that somebody of the team can no longer be taken because others were. */
    void runsOut(int leaf) {
        ranOut.set(leaf);
    }

    /** Teams of which somebody could no longer be taken since the last time that this was asked. */
    BitSet thatRanOut() {
        var since = (BitSet) ranOut.clone();
        ranOut.clear();
        return since;
    }
}
