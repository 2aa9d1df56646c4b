package io.muster.scheduling.verify;

import io.muster.model.Explanation;
import io.muster.model.JobId;
import io.muster.model.Reason;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Explained;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is left of a plan when the decisions that break a rule are dropped, with those that depend on them: a
 * beneficiary's reservation and all its victims stand or fall together.
 *
 * @param plan without breaches
 * @param breaches what was found, every one a bug or a race
 */
public record Sound(SchedulingPlan plan, List<Breach> breaches) {
    public Sound {
        breaches = List.copyOf(breaches);
    }

    static Sound of(ClusterSnapshot snapshot, SchedulingPlan plan) {
        var all = new ArrayList<Breach>();
        var left = plan;
        var found = PlanVerifier.verify(snapshot, left);
        while (!found.isEmpty() && !left.decisions().isEmpty()) {
            all.addAll(found);
            left = without(snapshot, left, found);
            found = PlanVerifier.verify(snapshot, left);
        }
        return new Sound(left, all);
    }

    private static SchedulingPlan without(ClusterSnapshot snapshot, SchedulingPlan plan, List<Breach> breaches) {
        Set<JobId> jobs = new HashSet<>();
        for (var breach : breaches) {
            jobs.add(breach.job());
            if (breach.decision() instanceof Decision.RequestCheckpoint request) {
                jobs.add(request.beneficiary());
            }
        }
        var decisions = plan.decisions().stream().filter(d -> !touches(d, jobs)).toList();
        var explanations = new ArrayList<>(plan.explanations());
        var explained = new HashSet<JobId>();
        explanations.forEach(e -> explained.add(e.job()));
        for (var waiting : snapshot.waiting()) {
            if (jobs.contains(waiting.id()) && explained.add(waiting.id())) {
                explanations.add(new Explanation(
                        waiting.id(),
                        snapshot.asOf(),
                        List.of(new Reason.NotYetPlanned()),
                        0,
                        List.of(),
                        null,
                        null,
                        List.of()));
            }
        }
        return new SchedulingPlan(decisions, Explained.of(explanations), plan.shares(), plan.setAside());
    }

    private static boolean touches(Decision decision, Set<JobId> jobs) {
        return jobs.contains(decision.job())
                || (decision instanceof Decision.RequestCheckpoint request && jobs.contains(request.beneficiary()));
    }
}
