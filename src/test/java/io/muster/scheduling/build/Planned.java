package io.muster.scheduling.build;

import io.muster.model.Explanation;
import io.muster.model.JobId;
import io.muster.model.Reason;
import io.muster.model.ReplicaPlacement;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.plan.ShareRow;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import java.util.List;

/** A plan, with questions that tests ask of it. */
public record Planned(ClusterSnapshot snapshot, SchedulingPlan plan) {

    public <T extends Decision> List<T> all(Class<T> kind) {
        return plan.decisions().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    public List<Long> started() {
        return all(Decision.Start.class).stream().map(d -> d.job().value()).toList();
    }

    public Decision.Start start(long job) {
        return all(Decision.Start.class).stream()
                .filter(d -> d.job().equals(new JobId(job)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("job " + job + " did not start: " + plan.decisions() + why(job)));
    }

    private String why(long job) {
        return plan.explanations().stream()
                .filter(e -> e.job().value() == job)
                .map(e -> e.reasons().toString())
                .findFirst()
                .orElse("");
    }

    /** Nodes of the job's replicas in rank order. */
    public List<String> nodesOf(long job) {
        return start(job).placements().stream()
                .map(ReplicaPlacement::node)
                .map(n -> n.value())
                .toList();
    }

    public List<Long> victims() {
        return all(Decision.RequestCheckpoint.class).stream()
                .map(d -> d.job().value())
                .toList();
    }

    public Decision.RequestCheckpoint request(long victim) {
        return all(Decision.RequestCheckpoint.class).stream()
                .filter(d -> d.job().value() == victim)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no victim " + victim + ": " + plan.decisions()));
    }

    public List<Decision.Reserve> reserves() {
        return all(Decision.Reserve.class);
    }

    public List<Decision.Unreserve> unreserves() {
        return all(Decision.Unreserve.class);
    }

    public List<Long> stopped() {
        return all(Decision.Stop.class).stream().map(d -> d.job().value()).toList();
    }

    public Explanation explanation(long job) {
        return plan.explanations().stream()
                .filter(e -> e.job().value() == job)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no explanation of " + job + ": " + plan));
    }

    public List<String> reasons(long job) {
        return explanation(job).reasons().stream().map(Reason::kind).toList();
    }

    public <R extends Reason> R reason(long job, Class<R> kind) {
        return explanation(job).reasons().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind + ": " + explanation(job)));
    }

    public ShareRow share(String team) {
        return plan.shares().stream()
                .filter(r -> r.team().equals(Ids.team(team)))
                .findFirst()
                .orElseThrow();
    }
}
