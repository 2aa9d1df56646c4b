package io.muster.scheduling;

import io.muster.model.JobId;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.problem.Memory;
import io.muster.scheduling.problem.Problem;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The core: decides which jobs run where and when. Pure: equal snapshots give equal plans, byte for byte. What it remembers
 * of the last snapshot only saves it reading the same objects again.
 */
public final class Scheduler {
    private static final int MOST_STEPS = 8;
    private static final int MOST_TRIES = 6;

    private final Memory memory = new Memory();

    /** Plans one cycle. Planning again in the world that the plan leaves gives an empty plan: all that is due is in it. */
    public synchronized SchedulingPlan plan(ClusterSnapshot snapshot) {
        return settle(snapshot).plan();
    }

    /** The decisions of {@link #plan} alone, for whoever asks nobody's reasons: they cost as much again. */
    public List<Decision> decide(ClusterSnapshot snapshot) {
        return settle(snapshot).decisions();
    }

    /**
     * A world at rest.
     *
     * @param decisions what brings it there
     * @param last the pass that found nothing more to decide
     * @param before what was free when the turns of the first pass began
     */
    record Settled(List<Decision> decisions, Pass last, Plane before) {
        SchedulingPlan plan() {
            return last.plan(decisions, before);
        }
    }

    synchronized Settled settle(ClusterSnapshot snapshot) {
        var problem = memory.read(snapshot);
        var careful = new HashSet<JobId>();
        for (int tries = 1; tries < MOST_TRIES; tries++) {
            var found = settle(problem, careful, false);
            if (found != null) {
                return found;
            }
        }
        return Objects.requireNonNull(settle(problem, careful, true));
    }

    /**
     * Settles in steps, until nobody is held back any more.
     *
     * @param careful jobs that are held back in the first step; those that should have been are added
     * @param anyhow stop before a step that takes back what an earlier one decided, and leave the rest to the next cycle
     * @return null when a step takes back what an earlier one decided
     */
    private static @Nullable Settled settle(Problem problem, Set<JobId> careful, boolean anyhow) {
        var settling = new Settling(problem, careful);
        var before = settling.before();
        var outcome = settling.outcome();
        for (int steps = 1; !settling.isAtRest() && steps < MOST_STEPS; steps++) {
            var next = new Settling(problem.after(outcome.decisions()), Set.of());
            var both = outcome.then(next.outcome());
            if (!both.hasty().isEmpty()) {
                if (!anyhow && careful.addAll(both.hasty())) {
                    return null;
                }
                break;
            }
            settling = next;
            outcome = both;
        }
        return new Settled(outcome.decisions(), settling.last(), before);
    }
}
