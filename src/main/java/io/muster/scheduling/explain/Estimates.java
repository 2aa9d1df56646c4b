package io.muster.scheduling.explain;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rough starts of the jobs of one pool: when as many GPUs have come free as it and all before it ask for, and never before
 * its own replicas find room. Knows nothing of shares and of the shapes of those before it.
 */
final class Estimates {
    private final List<Freed> likely;
    private final List<Freed> latest;
    private final Slots likelySlots;
    private final Slots latestSlots;

    private record End(Instant at, int gpus) {
        static final Comparator<End> ORDER = Comparator.comparing(End::at).thenComparingInt(End::gpus);
    }

    /** {@code sofar}: GPUs free from then on. */
    private record Freed(Instant at, long sofar) {}

    Estimates(Draft draft, int pool) {
        var learnedEnds = new ArrayList<End>();
        var promisedEnds = new ArrayList<End>();
        for (var o : draft.problem().occupants()) {
            if (o.pool() == pool) {
                promisedEnds.add(new End(promised(draft, o), o.gpus()));
                learnedEnds.add(new End(learned(draft, o), o.gpus()));
            }
        }
        long free = 0;
        var fleet = draft.problem().fleet();
        for (int n = 0; n < fleet.size(); n++) {
            if (fleet.takes(n) && fleet.partitionOf(n).pool() == pool) {
                free += Math.max(0, draft.room().present().gpus(n));
            }
        }
        likely = sums(free, learnedEnds);
        latest = sums(free, promisedEnds);
        likelySlots = new Slots(draft, pool, o -> learned(draft, o));
        latestSlots = new Slots(draft, pool, o -> promised(draft, o));
    }

    private static List<Freed> sums(long freeNow, List<End> ends) {
        ends.sort(End.ORDER);
        var sums = new ArrayList<Freed>(ends.size());
        long free = freeNow;
        for (var end : ends) {
            free += end.gpus;
            sums.add(new Freed(end.at, free));
        }
        return sums;
    }

    private static boolean leaves(Draft draft, Occupant o) {
        return o.job().leaving() || draft.isLeaving(o);
    }

    private static Instant promised(Draft draft, Occupant o) {
        var asOf = draft.problem().asOf();
        return leaves(draft, o) ? o.goneBy(asOf) : o.promisedEnd(draft.problem().settings(), asOf);
    }

    private static Instant learned(Draft draft, Occupant o) {
        var promised = promised(draft, o);
        var learned = Scene.expectedEnd(o, draft.problem().asOf());
        return learned == null || learned.isAfter(promised) ? promised : learned;
    }

    /** When {@code claimant}, with {@code gpusAhead} asked for before it, has as good as even chances to start. */
    @Nullable Instant likely(Claimant claimant, long gpusAhead) {
        return later(at(likely, gpusAhead + claimant.gpus()), likelySlots.earliest(claimant));
    }

    /** The same when everybody stays as long as promised. */
    @Nullable Instant latest(Claimant claimant, long gpusAhead) {
        return later(at(latest, gpusAhead + claimant.gpus()), latestSlots.earliest(claimant));
    }

    private static @Nullable Instant later(@Nullable Instant a, @Nullable Instant b) {
        return a == null || b == null ? null : a.isAfter(b) ? a : b;
    }

    private @Nullable Instant at(List<Freed> ends, long wanted) {
        int low = 0;
        int high = ends.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ends.get(middle).sofar >= wanted) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low == ends.size() ? null : ends.get(low).at;
    }
}
