package io.muster.scheduling.preemption;

import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * Who must yield to a claim, first to go first: the ranked lists of the teams that must, merged as far as somebody asks, so
 * that a claim that needs few looks at few.
 */
final class Yielding {
    static final int NOBODY = -1;

    private final Candidates candidates;
    private final Claim claim;
    private final PriorityQueue<Cursor> cursors = new PriorityQueue<>();

    private static final class Cursor implements Comparable<Cursor> {
        final int[] ranks;
        final boolean reclaims;
        int next;

        Cursor(int[] ranks, boolean reclaims, int next) {
            this.ranks = ranks;
            this.reclaims = reclaims;
            this.next = next;
        }

        @Override
        public int compareTo(Cursor other) {
            return Integer.compare(ranks[next], other.ranks[other.next]);
        }
    }

    /** Whoever must yield at this moment. */
    Yielding(Claim claim, Candidates candidates) {
        this.claim = claim;
        this.candidates = candidates;
        eachTeam(claim, candidates, cursor -> {
            if (advance(cursor)) {
                cursors.add(cursor);
            }
        });
    }

    /** All who must yield at this moment, in no order that means anything. */
    static void each(Claim claim, Candidates candidates, Consumer<Candidate> take) {
        eachTeam(claim, candidates, cursor -> {
            for (int i = cursor.next; i < cursor.ranks.length; i++) {
                var candidate = candidates.get(cursor.ranks[i]);
                if (claim.cause(candidate, cursor.reclaims) != null) {
                    take.accept(candidate);
                }
            }
        });
    }

    private static void eachTeam(Claim claim, Candidates candidates, Consumer<Cursor> take) {
        for (int leaf : candidates.leaves()) {
            boolean reclaims = claim.mayReclaimFrom(leaf);
            if (reclaims || claim.mayTakeFrom(leaf, candidates)) {
                take.accept(new Cursor(candidates.in(leaf), reclaims, candidates.firstIn(leaf)));
            }
        }
    }

    /** Goes to the next who must yield, where the cursor stands or behind; false when there is none. */
    private boolean advance(Cursor cursor) {
        for (; cursor.next < cursor.ranks.length; cursor.next++) {
            if (claim.cause(candidates.get(cursor.ranks[cursor.next]), cursor.reclaims) != null) {
                return true;
            }
        }
        return false;
    }

    /** The rank of the next, or {@link #NOBODY}. */
    int peek() {
        var first = cursors.peek();
        return first == null ? NOBODY : first.ranks[first.next];
    }

    /** Goes on to the one after. */
    void pass() {
        var first = cursors.poll();
        if (first != null) {
            first.next++;
            if (advance(first)) {
                cursors.add(first);
            }
        }
    }
}
