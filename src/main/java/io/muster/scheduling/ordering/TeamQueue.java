package io.muster.scheduling.ordering;

import io.muster.scheduling.problem.Claimant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The waiting jobs of one leaf: higher priority first, in it the user who holds least, of that user the oldest job. */
final class TeamQueue {
    private final List<Band> bands = new ArrayList<>();
    private int band;

    /** Jobs of one priority, each user's in order of age. */
    private static final class Band {
        final List<UserLine> lines = new ArrayList<>();
        int left;
    }

    private static final class UserLine {
        final int user;
        final List<Claimant> jobs = new ArrayList<>();
        int next;

        UserLine(int user) {
            this.user = user;
        }

        Claimant head() {
            return jobs.get(next);
        }
    }

    TeamQueue(List<Claimant> claimants) {
        var byPriority = new TreeMap<Integer, LinkedHashMap<Integer, UserLine>>(Comparator.reverseOrder());
        for (var c : claimants) {
            byPriority
                    .computeIfAbsent(c.priority(), p -> new LinkedHashMap<>())
                    .computeIfAbsent(c.user(), UserLine::new)
                    .jobs
                    .add(c);
        }
        for (var lines : byPriority.values()) {
            var made = new Band();
            for (var line : lines.values()) {
                line.jobs.sort(Claimant.OLDEST);
                made.lines.add(line);
                made.left += line.jobs.size();
            }
            bands.add(made);
        }
    }

    /** The next job, or null when none is left. */
    @Nullable Claimant head(int[] held) {
        var line = nextLine(held);
        return line == null ? null : line.head();
    }

    /** Takes {@code claimant}, the head of its user's line, out. */
    void take(Claimant claimant) {
        var current = bands.get(band);
        for (int i = 0; i < current.lines.size(); i++) {
            var line = current.lines.get(i);
            if (line.user == claimant.user()) {
                line.next++;
                if (line.next == line.jobs.size()) {
                    current.lines.remove(i);
                }
                break;
            }
        }
        if (--current.left == 0) {
            band++;
        }
    }

    private @Nullable UserLine nextLine(int[] held) {
        if (band == bands.size()) {
            return null;
        }
        UserLine best = null;
        for (var line : bands.get(band).lines) {
            if (best == null || before(line, best, held)) {
                best = line;
            }
        }
        return best;
    }

    private static boolean before(UserLine a, UserLine b, int[] held) {
        return held[a.user] != held[b.user]
                ? held[a.user] < held[b.user]
                : a.head().number() < b.head().number();
    }
}
