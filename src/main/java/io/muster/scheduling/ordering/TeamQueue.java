package io.muster.scheduling.ordering;

import io.muster.scheduling.problem.Claimant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The waiting jobs of one leaf: higher priority first, in it the lower rank of the team's order, in that the user who holds
 * least for what was used lately, of that user the oldest job.
 */
final class TeamQueue {
    private final List<List<UserLine>> bands = new ArrayList<>();
    private final BitSet blocked;
    private int band;

    /** Jobs of one user, one priority and one rank, in order of age. */
    private static final class UserLine {
        final int user;
        final double dearness;
        final List<Claimant> jobs = new ArrayList<>();
        int next;

        UserLine(int user, double dearness) {
            this.user = user;
            this.dearness = dearness;
        }

        /** What the user holds, the next job's first GPU included, the dearer the more was used lately. */
        double weighed(int[] held) {
            return (held[user] + 1) * dearness;
        }

        Claimant head() {
            return jobs.get(next);
        }

        /** Goes on to the next job of a kind and family that are not blocked; false when there is none. */
        boolean settle(BitSet blocked) {
            while (next < jobs.size() && isBlocked(head(), blocked)) {
                next++;
            }
            return next < jobs.size();
        }

        private static boolean isBlocked(Claimant job, BitSet blocked) {
            return job.kind() >= 0 && (blocked.get(job.kind()) || blocked.get(job.family()));
        }
    }

    private record Place(int priority, double rank) {
        static final Comparator<Place> FIRST =
                Comparator.comparingInt(Place::priority).reversed().thenComparingDouble(Place::rank);
    }

    /** {@code blocked}: kinds and families that are passed over, read at every question. */
    TeamQueue(List<Claimant> claimants, InnerOrder order, BitSet blocked) {
        this.blocked = blocked;
        var byPlace = new TreeMap<Place, LinkedHashMap<Integer, UserLine>>(Place.FIRST);
        for (var c : claimants) {
            byPlace.computeIfAbsent(new Place(c.priority(), order.rank(c)), p -> new LinkedHashMap<>())
                    .computeIfAbsent(c.user(), user -> new UserLine(user, order.dearness(c)))
                    .jobs
                    .add(c);
        }
        for (var lines : byPlace.values()) {
            lines.values().forEach(line -> line.jobs.sort(Claimant.OLDEST));
            bands.add(new ArrayList<>(lines.values()));
        }
    }

    /** The next job, or null when none is left. */
    @Nullable Claimant head(int[] held) {
        for (; band < bands.size(); band++) {
            var lines = bands.get(band);
            UserLine best = null;
            for (int i = lines.size() - 1; i >= 0; i--) {
                var line = lines.get(i);
                if (!line.settle(blocked)) {
                    lines.remove(i);
                } else if (best == null || before(line, best, held)) {
                    best = line;
                }
            }
            if (best != null) {
                return best.head();
            }
        }
        return null;
    }

    /** Takes {@code claimant}, the head of its user's line, out. */
    void take(Claimant claimant) {
        for (var line : bands.get(band)) {
            if (line.user == claimant.user()) {
                line.next++;
                return;
            }
        }
    }

    private static boolean before(UserLine a, UserLine b, int[] held) {
        int byUse = Double.compare(a.weighed(held), b.weighed(held));
        return byUse != 0 ? byUse < 0 : a.head().number() < b.head().number();
    }
}
