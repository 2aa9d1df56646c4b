package io.muster.scheduling;

import io.muster.model.JobId;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.problem.Problem;
import java.util.HashSet;
import java.util.Set;

/**
 * Passes over one world, each over what the passes before left, until one decides nothing. Whoever was backfilled by one
 * pass and taken back by a later one should not have been, nor should those have asked for victims who then found a place
 * without: all is done again with such jobs held back.
 */
final class Settling {
    /** A world that is not at rest by then is left to the next cycle. */
    private static final int MOST_PASSES = 16;

    private static final int MOST_TRIES = 8;

    private final Problem from;
    private final Set<JobId> held;
    private final Plane before;
    private Outcome outcome;
    private Pass last;

    /** {@code careful}: jobs that are held back from the beginning. */
    Settling(Problem from, Set<JobId> careful) {
        this.from = from;
        held = new HashSet<>(careful);
        outcome = new Outcome(from.snapshot());
        last = new Pass(from, held);
        before = last.before();
        goOn();
        for (int tries = 1; held.addAll(outcome.hasty()); tries++) {
            if (tries == MOST_TRIES) {
                from.claimants().forEach(c -> held.add(c.id()));
            }
            outcome = new Outcome(from.snapshot());
            last = new Pass(from, held);
            goOn();
        }
    }

    private void goOn() {
        outcome.add(last.decisions());
        int passes = 1;
        while (!last.decisions().isEmpty() && outcome.hasty().isEmpty() && passes++ < MOST_PASSES) {
            last = new Pass(from.after(outcome.decisions()), held);
            outcome.add(last.decisions());
        }
    }

    /** True when nothing is left to decide, also for those that were held back. */
    boolean isAtRest() {
        return outcome.decisions().isEmpty() || held.isEmpty();
    }

    Outcome outcome() {
        return outcome;
    }

    /** The pass that decided nothing. */
    Pass last() {
        return last;
    }

    /** What others could take when the turns of the first pass began. */
    Plane before() {
        return before;
    }
}
