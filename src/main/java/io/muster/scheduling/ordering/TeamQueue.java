package io.muster.scheduling.ordering;

import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.TeamLine;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * How far one pass has come with the waiting jobs of one leaf: higher priority first, in it the lower rank of the team's
 * order, in that the user who holds least for what was used lately, of that user the oldest job.
 */
final class TeamQueue {
    private final Iterator<TeamLine.Band> bands;
    private final InnerOrder order;
    private final PassedOver over;
    private List<UserQueue> users = List.of();

    /** Equal jobs of one user, the oldest first. */
    private static final class FamilyQueue implements Comparable<FamilyQueue> {
        private final List<Claimant> jobs;
        private int next;

        FamilyQueue(List<Claimant> jobs) {
            this.jobs = jobs;
        }

        Claimant head() {
            return jobs.get(next);
        }

        /** The one with the oldest head first. */
        @Override
        public int compareTo(FamilyQueue other) {
            return Claimant.OLDEST.compare(head(), other.head());
        }

        /** Goes on to the next job that is not passed over; false when there is none. */
        boolean settle(PassedOver over) {
            if (next < jobs.size() && over.familyOf(head())) {
                return false;
            }
            while (next < jobs.size() && over.job(head())) {
                next++;
            }
            return next < jobs.size();
        }
    }

    /** Jobs of one user, one priority and one rank, in order of age. */
    private static final class UserQueue {
        private final PriorityQueue<FamilyQueue> families;
        private final int user;
        private final double dearness;

        UserQueue(TeamLine.UserLine line, InnerOrder order, PassedOver over) {
            user = line.user();
            dearness = order.dearness(line.families().iterator().next().getFirst());
            var open = new ArrayList<FamilyQueue>();
            for (var jobs : line.families()) {
                var family = new FamilyQueue(jobs);
                if (family.settle(over)) {
                    open.add(family);
                }
            }
            families = new PriorityQueue<>(open);
        }

        /** What the user holds, the next job's first GPU included, the dearer the more was used lately. */
        double weighed(int[] held) {
            return (held[user] + 1) * dearness;
        }

        /** The oldest job that is not passed over, or null. */
        @Nullable Claimant head(PassedOver over) {
            for (var first = families.peek(); first != null; first = families.peek()) {
                if (!over.familyOf(first.head()) && !over.job(first.head())) {
                    return first.head();
                }
                goOn(over);
            }
            return null;
        }

        void take(PassedOver over) {
            families.element().next++;
            goOn(over);
        }

        private void goOn(PassedOver over) {
            var first = families.remove();
            if (first.settle(over)) {
                families.add(first);
            }
        }
    }

    /** {@code over} is asked at every turn. */
    TeamQueue(TeamLine line, InnerOrder order, PassedOver over) {
        bands = order.ranked(line).bands().iterator();
        this.order = order;
        this.over = over;
    }

    /** The next job, or null when none is left. */
    @Nullable Claimant head(int[] held) {
        var user = first(held);
        while (user == null && bands.hasNext()) {
            users = new ArrayList<>();
            bands.next().users().forEach(line -> users.add(new UserQueue(line, order, over)));
            user = first(held);
        }
        return user == null ? null : user.head(over);
    }

    private @Nullable UserQueue first(int[] held) {
        UserQueue best = null;
        Claimant bestHead = null;
        for (int i = users.size() - 1; i >= 0; i--) {
            var user = users.get(i);
            var head = user.head(over);
            if (head == null) {
                users.remove(i);
            } else if (best == null || bestHead == null || before(user, head, best, bestHead, held)) {
                best = user;
                bestHead = head;
            }
        }
        return best;
    }

    /** Takes {@code claimant}, the head of its user's queue, out. */
    void take(Claimant claimant) {
        for (var user : users) {
            if (user.user == claimant.user()) {
                user.take(over);
                return;
            }
        }
    }

    private static boolean before(UserQueue a, Claimant headA, UserQueue b, Claimant headB, int[] held) {
        int byUse = Double.compare(a.weighed(held), b.weighed(held));
        return byUse != 0 ? byUse < 0 : Claimant.OLDEST.compare(headA, headB) < 0;
    }
}
