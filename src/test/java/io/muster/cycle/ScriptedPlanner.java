package io.muster.cycle;

import io.muster.model.Explanation;
import io.muster.model.JobId;
import io.muster.model.Reason;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.verify.Breach;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;

/** Decides what the test says, once; explains every job that waits beyond that. */
final class ScriptedPlanner implements Planner {
    private Function<ClusterSnapshot, List<Decision>> script = snapshot -> List.of();
    private Runnable meanwhile = () -> {};
    private List<Breach> breaches = List.of();
    private JobId poison;
    ClusterSnapshot seen;

    void next(Decision... decisions) {
        script = snapshot -> List.of(decisions);
    }

    void next(Function<ClusterSnapshot, List<Decision>> decide) {
        script = decide;
    }

    /** Happens after the plan was made and before it is committed. */
    void meanwhile(Runnable action) {
        meanwhile = action;
    }

    void breaches(List<Breach> all) {
        breaches = all;
    }

    /** Whether it waits or runs; null: at nobody. */
    void throwsAt(JobId job) {
        poison = job;
    }

    @Override
    public SchedulingPlan plan(ClusterSnapshot snapshot) {
        seen = snapshot;
        if (snapshot.waiting().stream().anyMatch(w -> w.id().equals(poison))
                || snapshot.running().stream().anyMatch(r -> r.id().equals(poison))) {
            throw new ArithmeticException("made up");
        }
        var now = script;
        script = any -> List.of();
        List<Decision> decisions = now.apply(snapshot);
        var starting = new HashSet<>();
        decisions.forEach(d -> starting.add(d.job()));
        var explanations = new ArrayList<Explanation>();
        snapshot.waiting().stream()
                .filter(j -> !starting.contains(j.id()))
                .forEach(job -> explanations.add(new Explanation(
                        job.id(),
                        snapshot.asOf(),
                        List.of(new Reason.Capacity(
                                job.facts().pools().getFirst(), job.facts().gpus(), null, 0, 0, List.of())),
                        1,
                        List.of(),
                        null,
                        null,
                        List.of())));
        return new SchedulingPlan(decisions, explanations, List.of());
    }

    @Override
    public List<Breach> verify(ClusterSnapshot snapshot, SchedulingPlan plan) {
        Runnable action = meanwhile;
        meanwhile = () -> {};
        action.run();
        var now = breaches;
        breaches = List.of();
        return now;
    }
}
