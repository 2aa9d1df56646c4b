package io.muster.scheduling.shape;

import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.problem.Problem;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.ReservationView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which jobs stand in domains that a shape of their team covers, the longest there first, and how many domains are left. */
final class InUse {
    private static final Comparator<Occupant> LONGEST =
            Comparator.comparing((Occupant o) -> o.job().startedAt()).thenComparing(Occupant::id);

    private final Problem problem;
    private final List<Owned> shapes;
    private final Map<Owned, Integer> used = new HashMap<>();
    private final Set<JobId> covered = new HashSet<>();
    private int followed;

    InUse(Problem problem, List<Owned> shapes) {
        this.problem = problem;
        this.shapes = shapes;
        var running = new ArrayList<Occupant>();
        for (var o : problem.occupants()) {
            if (!o.job().leaving() && o.leaf() >= 0 && o.pool() >= 0) {
                running.add(o);
            }
        }
        running.sort(LONGEST);
        running.forEach(o -> cover(o.facts(), o.leaf(), o.pool()));
        problem.snapshot().reservations().stream()
                .filter(r -> r.kind() != ReservationView.Kind.HEAD)
                .sorted(Comparator.comparing(ReservationView::job))
                .forEach(this::cover);
    }

    /** Takes in what a pass has decided since it was asked last: whoever gets a place stands in its domains from then on. */
    void follow(List<Decision> decisions) {
        for (; followed < decisions.size(); followed++) {
            var decision = decisions.get(followed);
            switch (decision) {
                case Decision.Start s -> cover(s.job(), s.pool());
                case Decision.Reserve r when r.kind() != Decision.Reserve.Kind.HEAD -> cover(r.job(), r.pool());
                case Decision.Reserve r -> {}
                case Decision.Unreserve u -> {}
                case Decision.RequestCheckpoint r -> {}
                case Decision.Stop s -> {}
            }
        }
    }

    private void cover(JobId job, PoolId pool) {
        var claimant = problem.claimant(job);
        if (claimant != null && !covered.contains(job)) {
            cover(claimant.facts(), claimant.leaf(), problem.fleet().poolNumber(pool));
        }
    }

    /** What is promised is in use. */
    private void cover(ReservationView promise) {
        var waiting = problem.claimant(promise.job());
        var running = problem.occupant(promise.job());
        var facts = waiting != null ? waiting.facts() : running != null ? running.facts() : null;
        if (facts != null && !covered.contains(promise.job())) {
            int leaf = problem.tree().leaf(facts.team());
            cover(facts, leaf, problem.fleet().poolNumber(promise.pool()));
        }
    }

    private void cover(JobFacts facts, int leaf, int pool) {
        Gang gang = null;
        for (var owned : shapes) {
            if (owned.pool() == pool && owned.isOf(leaf, problem.tree())) {
                gang = gang == null ? new Gang(facts.groups()) : gang;
                int domains = owned.domains(gang, facts.topology());
                if (domains > 0 && domains <= left(owned)) {
                    used.merge(owned, domains, Integer::sum);
                    covered.add(facts.id());
                    return;
                }
            }
        }
    }

    /** Domains of the shape that nobody of its team stands in. */
    int left(Owned owned) {
        return owned.shape().count() - used.getOrDefault(owned, 0);
    }

    boolean isCovered(JobId job) {
        return covered.contains(job);
    }
}
