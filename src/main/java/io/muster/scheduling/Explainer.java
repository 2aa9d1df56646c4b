package io.muster.scheduling;

import io.muster.model.Explanation;
import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.model.Remedy;
import io.muster.model.TopologyRequest;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.preemption.Taken;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.PoolView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Explains one world: plans it once, and finds for a job that waits small changes that would start it now. Each remedy is
 * verified by trying the changed job in the world as the plan leaves it, which costs a search for a place, not a plan.
 */
public final class Explainer {
    /** Pools that are tried besides the job's own. */
    private static final int MOST_POOLS = 8;

    private final ClusterSnapshot snapshot;
    private final SchedulingPlan plan;
    private final Pass rest;
    private final Probe probe;

    /** Plans {@code snapshot}; all questions after that are about it. */
    public Explainer(ClusterSnapshot snapshot) {
        this(snapshot, new Scheduler());
    }

    /** The same by a core that remembers what it read; it must plan nothing else until the last question. */
    public Explainer(ClusterSnapshot snapshot, Scheduler scheduler) {
        this.snapshot = snapshot;
        var settled = scheduler.settle(snapshot);
        plan = settled.plan();
        rest = settled.last();
        probe = rest.probe();
    }

    /** A class of priorities that a job could be raised to. */
    public record PriorityClass(String name, int priority) {}

    public SchedulingPlan plan() {
        return plan;
    }

    /** Why {@code job} still waits after the plan; empty when it does not. */
    public Optional<Explanation> explanation(JobId job) {
        return plan.explained().of(job);
    }

    /**
     * Remedies for {@code job}, smallest change first; empty when none helps or the job does not wait.
     *
     * @param classes classes that whoever asks may use, in any order
     */
    public static List<Remedy> remedies(ClusterSnapshot snapshot, JobId job, List<PriorityClass> classes) {
        return new Explainer(snapshot).remedies(job, classes);
    }

    /**
     * Remedies for {@code job}, smallest change first; empty when none helps or the job does not wait.
     *
     * @param classes classes that whoever asks may use, in any order
     */
    public synchronized List<Remedy> remedies(JobId job, List<PriorityClass> classes) {
        var claimant = rest.problem().claimant(job);
        return claimant == null
                ? List.of()
                : Stream.of(
                                Stream.of(relaxedTopology(claimant), withoutSlices(claimant), otherPool(claimant)),
                                fewerReplicas(claimant),
                                Stream.of(higherClass(claimant, classes)))
                        .flatMap(some -> some)
                        .filter(Objects::nonNull)
                        .toList();
    }

    /** The least relaxation: without the preference, then each coarser level, then nothing required. */
    private @Nullable Remedy relaxedTopology(Claimant job) {
        var asked = job.facts().topology();
        for (var request : relaxations(job, asked)) {
            var layout = startWith(job, changed -> changed.topology(request));
            if (layout != null) {
                return new Remedy.RelaxTopology(request.require(), request.prefer(), domains(level(asked), layout));
            }
        }
        return null;
    }

    private List<TopologyRequest> relaxations(Claimant job, TopologyRequest asked) {
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
                .map(PoolView::levels)
                .orElse(List.of());
    }

    private static @Nullable String level(TopologyRequest asked) {
        return asked.require() != null ? asked.require() : asked.prefer();
    }

    /** How many domains of the level the gang would lie in. */
    private int domains(@Nullable String level, Layout layout) {
        int depth = levels(layout.partition().poolId()).indexOf(level) + 1;
        var fleet = rest.problem().fleet();
        return (int) layout.spots().stream()
                .map(s -> fleet.node(s.node()).domain().prefix(depth))
                .distinct()
                .count();
    }

    /** Without slices; only for gangs of one group. */
    private @Nullable Remedy withoutSlices(Claimant job) {
        var groups = job.facts().groups();
        var slices = groups.getFirst().slices();
        if (groups.size() > 1 || slices == null) {
            return null;
        }
        var layout = startWith(job, Changed::withoutSlices);
        return layout == null ? null : new Remedy.WithoutSlices(domains(slices.level(), layout));
    }

    private @Nullable Remedy otherPool(Claimant job) {
        var others = snapshot.pools().stream()
                .map(PoolView::id)
                .filter(p -> !job.facts().pools().contains(p))
                .sorted()
                .limit(MOST_POOLS)
                .toList();
        for (var pool : others) {
            var layout = startWith(job, changed -> changed.pool(pool));
            if (layout != null) {
                return new Remedy.OtherPool(pool, layout.partition().type());
            }
        }
        return null;
    }

    /** The most replicas that would start, in whole slices, found by halving; only for gangs of one group. */
    private Stream<Remedy> fewerReplicas(Claimant job) {
        var groups = job.facts().groups();
        if (groups.size() > 1 || groups.getFirst().min() == 1) {
            return Stream.of();
        }
        var slices = groups.getFirst().slices();
        int step = slices == null ? 1 : slices.size();
        int works = 0;
        int fails = groups.getFirst().min() / step;
        while (fails - works > 1) {
            int half = (works + fails) >>> 1;
            if (startWith(job, changed -> changed.replicas(half * step)) != null) {
                works = half;
            } else {
                fails = half;
            }
        }
        if (works == 0) {
            return Stream.of();
        }
        var fewer = new Remedy.FewerReplicas(works * step);
        var elastic = new Remedy.BeElastic(works);
        if (job.isElastic()) {
            return Stream.of(elastic);
        }
        // One that may not be asked to save would never grow, and slices stay as they are.
        boolean grows = job.facts().preemptible() && slices == null;
        return grows ? Stream.of(fewer, elastic) : Stream.of(fewer);
    }

    /** The lowest class above the job's own that would start it, at once or as soon as victims are gone. */
    private @Nullable Remedy higherClass(Claimant job, List<PriorityClass> classes) {
        var higher = classes.stream()
                .filter(c -> c.priority() > job.facts().priority())
                .sorted(Comparator.comparingInt(PriorityClass::priority).thenComparing(PriorityClass::name))
                .toList();
        for (var wanted : higher) {
            var answer =
                    probe.ask(job, new Changed(job.facts()).priority(wanted).facts());
            if (answer != null) {
                return new Remedy.RaisePriority(
                        wanted.name(),
                        answer.victims().stream().map(t -> t.occupant().id()).toList(),
                        answer.victims().stream().mapToLong(Taken::cost).sum());
            }
        }
        return null;
    }

    /** Where the changed job would start at once. */
    private @Nullable Layout startWith(Claimant job, UnaryOperator<Changed> change) {
        var answer = probe.ask(job, change.apply(new Changed(job.facts())).facts());
        return answer == null || !answer.victims().isEmpty() ? null : answer.layout();
    }
}
