package io.muster.scheduling;

import io.muster.model.ReservationId;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Problem;
import io.muster.scheduling.problem.Sizes;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** With how many replicas an elastic gang starts: as many as there is room for, found by halving over its sizes. */
final class Elastic {
    private final Draft draft;
    private final Desk desk;

    Elastic(Draft draft, Desk desk) {
        this.draft = draft;
        this.desk = desk;
    }

    /** Starts a job that does not fit whole with as many replicas as fit; false when not even its fewest do. */
    boolean startSmaller(Claimant whole) {
        if (!whole.isElastic()) {
            return false;
        }
        var size = largest(whole, 0, spare(whole) - 1, s -> desk.openings().first(s, null, false) != null);
        return size != null && desk.startNow(size);
    }

    /** Asks victims to leave for as many replicas as the job's team deserves more, if that is more than the fewest. */
    boolean startWithVictims(Claimant whole) {
        if (!whole.isElastic()) {
            return false;
        }
        var size = largest(whole, 1, spare(whole), this::isWithin);
        return size != null && desk.startWithVictims(size, false);
    }

    private boolean isWithin(Claimant size) {
        return draft.standing(size, size.pool()).within();
    }

    /** Starts a job for which fewer replicas were promised with more, where that takes nothing from anybody. */
    boolean startLarger(Claimant promised, ReservationId consumes) {
        var whole = draft.problem().claimant(promised.id());
        if (whole == null || !whole.isElastic()) {
            return false;
        }
        int least = promised.gang().replicas()
                - draft.problem().smallest(whole).gang().replicas()
                + 1;
        var size = largest(whole, least, spare(whole), s -> desk.openings().first(s, consumes, false) != null);
        return size != null && desk.startNow(size, consumes, false);
    }

    private static int spare(Claimant whole) {
        return Sizes.spare(whole.facts().groups());
    }

    /** The largest size with {@code from} to {@code to} replicas more than the fewest that is good, or null. */
    private @Nullable Claimant largest(Claimant whole, int from, int to, Predicate<Claimant> isGood) {
        return largest(draft.problem(), whole, from, to, isGood);
    }

    /** The same; what is good is good for all that are smaller. */
    static @Nullable Claimant largest(Problem problem, Claimant whole, int from, int to, Predicate<Claimant> isGood) {
        Claimant best = null;
        int low = from;
        int high = to;
        while (low <= high) {
            // The smallest first: for most that wait there is no room for it either.
            int middle = best == null ? low : (low + high) >>> 1;
            var size = problem.sized(whole, middle);
            if (isGood.test(size)) {
                best = size;
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return best;
    }
}
