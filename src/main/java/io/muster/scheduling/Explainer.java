package io.muster.scheduling;

import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.model.Remedy;
import io.muster.model.TopologyRequest;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.WaitingJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds small changes that would start a waiting job now; each is verified by planning with it. Costs some plans. */
public final class Explainer {
    /** Pools that are tried besides the job's own. */
    private static final int MOST_POOLS = 8;

    private final ClusterSnapshot snapshot;
    private final WaitingJob job;

    private Explainer(ClusterSnapshot snapshot, WaitingJob job) {
        this.snapshot = snapshot;
        this.job = job;
    }

    /** A class of priorities that a job could be raised to. */
    public record PriorityClass(String name, int priority) {}

    /** Remedies for {@code job}, smallest change first; empty when none helps or the job does not wait. */
    public static List<Remedy> remedies(ClusterSnapshot snapshot, JobId job) {
        return remedies(snapshot, job, List.of());
    }

    /**
     * Remedies for {@code job}, smallest change first; empty when none helps or the job does not wait.
     *
     * @param classes classes that whoever asks may use, in any order
     */
    public static List<Remedy> remedies(ClusterSnapshot snapshot, JobId job, List<PriorityClass> classes) {
        return snapshot.waiting().stream()
                .filter(w -> w.id().equals(job))
                .findFirst()
                .map(w -> new Explainer(snapshot, w).find(classes))
                .orElse(List.of());
    }

    private List<Remedy> find(List<PriorityClass> classes) {
        return Stream.of(relaxedTopology(), otherPool(), fewerReplicas(), higherClass(classes))
                .filter(Objects::nonNull)
                .toList();
    }

    /** The least relaxation: without the preference, then each coarser level, then nothing required. */
    private @Nullable Remedy relaxedTopology() {
        var asked = job.facts().topology();
        for (var request : relaxations(asked)) {
            var start = startWith(facts -> withTopology(facts, request));
            if (start != null) {
                return new Remedy.RelaxTopology(request.require(), request.prefer(), domains(asked, start));
            }
        }
        return null;
    }

    private List<TopologyRequest> relaxations(TopologyRequest asked) {
        var relaxations = new ArrayList<TopologyRequest>();
        if (asked.prefer() != null && !asked.patience().isZero()) {
            relaxations.add(new TopologyRequest(asked.require(), asked.prefer(), Duration.ZERO));
        }
        if (asked.require() != null) {
            var levels = levels(job.facts().pools().getFirst());
            for (int i = levels.indexOf(asked.require()) - 1; i >= 0; i--) {
                relaxations.add(new TopologyRequest(levels.get(i), null, Duration.ZERO));
            }
            relaxations.add(TopologyRequest.NONE);
        }
        return relaxations;
    }

    private List<String> levels(PoolId pool) {
        return snapshot.pools().stream()
                .filter(p -> p.id().equals(pool))
                .findFirst()
                .map(p -> p.levels())
                .orElse(List.of());
    }

    /** How many domains of the level that was asked for the gang would lie in. */
    private int domains(TopologyRequest asked, Decision.Start start) {
        var level = asked.require() != null ? asked.require() : asked.prefer();
        int depth = levels(start.pool()).indexOf(level) + 1;
        return (int) start.placements().stream()
                .flatMap(p -> snapshot.nodes().stream().filter(n -> n.id().equals(p.node())))
                .map(n -> n.domain().prefix(depth))
                .distinct()
                .count();
    }

    private @Nullable Remedy otherPool() {
        var others = snapshot.pools().stream()
                .map(p -> p.id())
                .filter(p -> !job.facts().pools().contains(p))
                .sorted()
                .limit(MOST_POOLS)
                .toList();
        for (var pool : others) {
            var start = startWith(facts -> withPool(facts, pool));
            if (start != null) {
                return new Remedy.OtherPool(pool, start.gpuType());
            }
        }
        return null;
    }

    /** The most replicas that would start, found by halving; only for gangs of one group. */
    private @Nullable Remedy fewerReplicas() {
        var groups = job.facts().groups();
        if (groups.size() > 1 || groups.getFirst().replicas() == 1) {
            return null;
        }
        int works = 0;
        int fails = groups.getFirst().replicas();
        while (fails - works > 1) {
            int half = (works + fails) >>> 1;
            if (startWith(facts -> withReplicas(facts, half)) != null) {
                works = half;
            } else {
                fails = half;
            }
        }
        return works == 0 ? null : new Remedy.FewerReplicas(works);
    }

    /** The lowest class above the job's own that would start it, at once or as soon as victims are gone. */
    private @Nullable Remedy higherClass(List<PriorityClass> classes) {
        var higher = classes.stream()
                .filter(c -> c.priority() > job.facts().priority())
                .sorted(Comparator.comparingInt(PriorityClass::priority).thenComparing(PriorityClass::name))
                .toList();
        for (var wanted : higher) {
            var plan = planWith(facts -> withPriority(facts, wanted));
            var victims = plan.decisions().stream()
                    .filter(d -> d instanceof Decision.RequestCheckpoint r
                            && r.beneficiary().equals(job.id()))
                    .map(Decision.RequestCheckpoint.class::cast)
                    .toList();
            if (start(plan) != null || !victims.isEmpty()) {
                return new Remedy.RaisePriority(
                        wanted.name(),
                        victims.stream().map(Decision.RequestCheckpoint::job).toList(),
                        victims.stream()
                                .mapToLong(Decision.RequestCheckpoint::gpuSecondsLost)
                                .sum());
            }
        }
        return null;
    }

    private Decision.@Nullable Start startWith(UnaryOperator<JobFacts> change) {
        return start(planWith(change));
    }

    /** Plans with the job changed; what was kept for it as it is now is left out. */
    private SchedulingPlan planWith(UnaryOperator<JobFacts> change) {
        var changed = new WaitingJob(
                change.apply(job.facts()), job.waitingSince(), job.backoff(), job.excludedNodes(), job.notBeside());
        var waiting = snapshot.waiting().stream()
                .map(w -> w.id().equals(job.id()) ? changed : w)
                .toList();
        return new Scheduler().plan(snapshot.withWaiting(waiting).withoutReservationOf(job.id()));
    }

    private Decision.@Nullable Start start(SchedulingPlan plan) {
        return plan.decisions().stream()
                .filter(d -> d instanceof Decision.Start && d.job().equals(job.id()))
                .map(Decision.Start.class::cast)
                .findFirst()
                .orElse(null);
    }

    private static JobFacts withTopology(JobFacts f, TopologyRequest topology) {
        return new Changed(f).topology(topology).facts();
    }

    private static JobFacts withPool(JobFacts f, PoolId pool) {
        return new Changed(f).pool(pool).facts();
    }

    private static JobFacts withReplicas(JobFacts f, int replicas) {
        return new Changed(f).replicas(replicas).facts();
    }

    private static JobFacts withPriority(JobFacts f, PriorityClass wanted) {
        return new Changed(f).priority(wanted).facts();
    }
}
