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
 * Rough starts of the jobs of one pool: when as many GPUs have come free as it and all before it ask for. Knows nothing
 * of shapes and shares; it must be asked in order of place.
 */
final class Estimates {
    private final List<Freed> likely;
    private final List<Freed> latest;

    private record End(Instant at, int gpus) {
        static final Comparator<End> ORDER = Comparator.comparing(End::at).thenComparingInt(End::gpus);
    }

    /** {@code sofar}: GPUs free from then on. */
    private record Freed(Instant at, long sofar) {}

    Estimates(Draft draft, int pool) {
        var asOf = draft.problem().asOf();
        var learnedEnds = new ArrayList<End>();
        var promisedEnds = new ArrayList<End>();
        for (var o : draft.problem().occupants()) {
            if (o.pool() == pool) {
                var promised = leaves(draft, o) ? asOf.plus(o.facts().grace()) : promised(draft, o);
                var learned = Scene.expectedEnd(o, asOf);
                promisedEnds.add(new End(promised, o.gpus()));
                learnedEnds.add(new End(learned == null || learned.isAfter(promised) ? promised : learned, o.gpus()));
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
        return o.promisedEnd(draft.problem().settings(), draft.problem().asOf());
    }

    /** When {@code claimant}, with {@code gpusAhead} asked for before it, has as good as even chances to start. */
    @Nullable Instant likely(Claimant claimant, long gpusAhead) {
        return at(likely, gpusAhead + claimant.gpus());
    }

    /** The same when everybody stays as long as promised. */
    @Nullable Instant latest(Claimant claimant, long gpusAhead) {
        return at(latest, gpusAhead + claimant.gpus());
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
