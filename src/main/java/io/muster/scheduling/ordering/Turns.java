package io.muster.scheduling.ordering;

import io.muster.scheduling.fairshare.PoolShares;
import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Queues;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is in one pool. Jobs that a privileged class lets take from other teams come before the teams' turns,
 * since they could take the same GPUs by force right after.
 */
public final class Turns {
    private final PoolShares shares;
    private final TeamTree tree;
    private final int[] allocated;
    private final int[] held;
    private final List<Claimant> privileged;
    private final @Nullable TeamQueue[] queues;
    private final @Nullable Claimant[] best;
    private int nextPrivileged;
    private @Nullable Claimant top;

    /**
     * Takes the claimants of one pool.
     *
     * @param privileged those who come first, and those of their classes who do not
     * @param order the order inside each team
     * @param allocated GPUs by entry of the tree, read at every turn
     * @param held GPUs by user, read at every turn
     * @param over who has no turn, read at every turn
     */
    public Turns(
            PoolShares shares,
            Queues waiting,
            int pool,
            Privileged privileged,
            InnerOrder order,
            int[] allocated,
            int[] held,
            PassedOver over) {
        this.shares = shares;
        this.tree = shares.tree();
        this.privileged = privileged.first();
        this.allocated = allocated;
        this.held = held;
        queues = new TeamQueue[tree.size()];
        best = new Claimant[tree.size()];
        for (int leaf = 0; leaf < queues.length; leaf++) {
            var line = privileged.joining(leaf, waiting.team(pool, leaf));
            if (line != null) {
                queues[leaf] = new TeamQueue(line, order, over);
                best[leaf] = queues[leaf].head(held);
            }
        }
        settleAll();
    }

    /** The job whose turn it is, or null when none is left. */
    public @Nullable Claimant peek() {
        return nextPrivileged < privileged.size() ? privileged.get(nextPrivileged) : top;
    }

    /** Takes the job that {@link #peek} gave out of the line; then act, then {@link #settle} its leaf. */
    public void take(Claimant claimant) {
        if (nextPrivileged < privileged.size()) {
            nextPrivileged++;
        } else {
            Objects.requireNonNull(queues[claimant.leaf()]).take(claimant);
        }
    }

    /** Plays the tournament again along the path of {@code leaf}, whose numbers may have changed. */
    public void settle(int leaf) {
        var queue = queues[leaf];
        best[leaf] = queue == null ? null : queue.head(held);
        for (int i = tree.parent(leaf); i != TeamTree.NO_PARENT; i = tree.parent(i)) {
            best[i] = bestBelow(i);
        }
        top = bestBelow(TeamTree.NO_PARENT);
    }

    /** Plays the whole tournament again: what teams deserve has changed. */
    public void settleAll() {
        for (int i = queues.length - 1; i >= 0; i--) {
            if (!tree.isLeaf(i)) {
                best[i] = bestBelow(i);
            }
        }
        top = bestBelow(TeamTree.NO_PARENT);
    }

    private @Nullable Claimant bestBelow(int entry) {
        int winner = -1;
        for (int child : tree.below(entry)) {
            if (best[child] != null && (winner < 0 || before(child, winner))) {
                winner = child;
            }
        }
        return winner < 0 ? null : best[winner];
    }

    /** Whether entry {@code a} comes before {@code b}, which stands earlier in the tree's order. */
    private boolean before(int a, int b) {
        return compare(a, best[a], b, best[b]) < 0;
    }

    private int compare(int a, @Nullable Claimant headA, int b, @Nullable Claimant headB) {
        long wantA = (long) allocated[a] + (headA == null ? 0 : headA.gpus());
        long wantB = (long) allocated[b] + (headB == null ? 0 : headB.gpus());
        int deservedA = shares.deserved(a);
        int deservedB = shares.deserved(b);
        if (deservedA == 0 || deservedB == 0) {
            return deservedA == deservedB ? Long.compare(wantA, wantB) : Integer.compare(deservedB, deservedA);
        }
        return Long.compare(wantA * deservedB, wantB * deservedA);
    }

    /** How far the next job's team would be in its share, in parts of 2^20; privileged jobs first. */
    public long urgency() {
        var next = peek();
        if (next == null) {
            return Long.MAX_VALUE;
        }
        if (nextPrivileged < privileged.size()) {
            return Long.MIN_VALUE;
        }
        int entry = next.leaf();
        int deserved = shares.deserved(entry);
        long want = (long) allocated[entry] + next.gpus();
        return deserved == 0 ? Long.MAX_VALUE - 1 : (want << 20) / deserved;
    }
}
