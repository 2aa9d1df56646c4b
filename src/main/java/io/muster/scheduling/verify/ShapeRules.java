package io.muster.scheduling.verify;

import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.scheduling.verify.Breach.Rule;
import io.muster.scheduling.verify.PlaceRules.Finding;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** The rules of shaped guarantees: others start elsewhere while they can, and whoever yields to a shape had to. */
final class ShapeRules {
    private final World world;
    private final ShareFacts shares;
    private final List<Promised> shapes;
    private final Map<Promised, Set<NodeId>> kept;
    private final Set<JobId> coveredFirst = new HashSet<>();
    private final Map<JobId, List<ReplicaPlacement>> planned = new HashMap<>();
    private final Map<JobId, PoolId> startedIn = new TreeMap<>();
    /** What heads had reserved meanwhile does not show at the end. */
    private boolean headsChange;

    private final Map<JobId, PoolId> promisedIn = new HashMap<>();

    ShapeRules(World world, ShareFacts shares, SchedulingPlan plan) {
        this.world = world;
        this.shares = shares;
        shapes = Promised.all(world.snapshot);
        for (var r : world.snapshot.reservations()) {
            headsChange |= r.kind() == ReservationView.Kind.HEAD
                    && plan.decisions().stream().anyMatch(d -> d.job().equals(r.job()));
        }
        for (var decision : shapes.isEmpty() ? List.<Decision>of() : plan.decisions()) {
            headsChange |= decision instanceof Decision.Reserve r && r.kind() == Decision.Reserve.Kind.HEAD;
            if (decision instanceof Decision.Start s) {
                planned.put(s.job(), s.placements());
            } else if (decision instanceof Decision.Reserve r) {
                planned.put(r.job(), r.placements());
            }
        }
        var left = covered(coveredFirst);
        kept = shapes.isEmpty() ? Map.of() : new KeptFacts(world, shares).nodes(shapes, left);
    }

    /** Notes a job that has its place from now on. */
    void placed(JobId job, PoolId pool, boolean starts) {
        (starts ? startedIn : promisedIn).put(job, pool);
    }

    /** Domains of each shape in which nobody of its team stands now; {@code covered}: those who do. */
    private Map<Promised, Integer> covered(Set<JobId> covered) {
        var left = new HashMap<Promised, Integer>();
        shapes.forEach(s -> left.put(s, s.shape().count()));
        world.running.values().stream()
                .filter(r -> !world.leaving.contains(r.id()))
                .sorted(Comparator.comparing(RunningJob::startedAt).thenComparing(RunningJob::id))
                .forEach(r -> cover(r.facts(), r.pool(), left, covered));
        startedIn.forEach((job, pool) -> cover(facts(job), pool, left, covered));
        var promises = new TreeMap<>(promisedIn);
        for (var r : world.reservations.values()) {
            if (r.kind() != ReservationView.Kind.HEAD && !startedIn.containsKey(r.job())) {
                promises.putIfAbsent(r.job(), r.pool());
            }
        }
        promises.forEach((job, pool) -> cover(facts(job), pool, left, covered));
        return left;
    }

    private JobFacts facts(JobId job) {
        var waits = world.waiting.get(job);
        return waits != null
                ? waits.facts()
                : Objects.requireNonNull(world.running.get(job)).facts();
    }

    private void cover(JobFacts facts, PoolId pool, Map<Promised, Integer> left, Set<JobId> covered) {
        for (var shape : shapes) {
            int domains = shape.pool().equals(pool) && isOf(shape, facts) ? shape.domains(facts, null) : 0;
            if (domains > 0 && domains <= left.getOrDefault(shape, 0) && !covered.contains(facts.id())) {
                left.merge(shape, -domains, Integer::sum);
                covered.add(facts.id());
            }
        }
    }

    private boolean isOf(Promised shape, JobFacts facts) {
        return shares.way(facts.team()).contains(shape.owner());
    }

    /** A shape covers the job in the place that the plan gives it, within the guarantee of the team that has the shape. */
    boolean hasRight(JobFacts facts, PoolId pool) {
        if (shapes.isEmpty()) {
            return false;
        }
        var on = planned.get(facts.id());
        var left = covered(new HashSet<>());
        for (var shape : shapes) {
            if (on != null && shape.pool().equals(pool) && isOf(shape, facts)) {
                int domains = shape.domains(facts, on);
                if (domains > 0
                        && domains <= left.getOrDefault(shape, 0)
                        && shares.allocated(shape.owner(), pool) + World.gpus(on)
                                <= shares.guaranteed(shape.owner(), pool)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The victim belongs to others, and no shape of its own team covers it. */
    boolean mayTake(RunningJob victim, JobFacts beneficiary) {
        boolean covered = coveredFirst.contains(victim.id());
        boolean own = shapes.stream()
                .allMatch(s -> !isOf(s, beneficiary) || !s.pool().equals(victim.pool()) || isOf(s, victim.facts()));
        return !covered && !own && !victim.facts().acrossTeams() && hasRight(beneficiary, victim.pool());
    }

    /** At the end of the plan: no start of it stands where something is kept for others while it has a place elsewhere. */
    List<Finding> borrowed(Decision.Start start) {
        var job = world.waiting.get(start.job());
        if (shapes.isEmpty()
                || headsChange
                || job == null
                || start.backfilled()
                || hadReservation(job)
                || !isPlain(job)) {
            return List.of();
        }
        var closed = new HashSet<NodeId>();
        kept.forEach((shape, nodes) -> {
            if (!isOf(shape, job.facts())) {
                closed.addAll(nodes);
            }
        });
        boolean borrows = start.placements().stream().anyMatch(p -> closed.contains(p.node()));
        return borrows
                        && roomElsewhere(job, start, closed)
                                >= start.placements().size()
                ? List.of(new Finding(Rule.KEPT_FOR_SHAPE, "has a place elsewhere"))
                : List.of();
    }

    private boolean hadReservation(WaitingJob job) {
        return world.snapshot.reservations().stream().anyMatch(r -> r.job().equals(job.id()));
    }

    /** Where the answer is beyond doubt: equal replicas that go anywhere. */
    private static boolean isPlain(WaitingJob job) {
        var groups = job.facts().groups();
        var topology = job.facts().topology();
        return groups.size() == 1
                && groups.getFirst().slices() == null
                && topology.require() == null
                && topology.prefer() == null;
    }

    private int roomElsewhere(WaitingJob job, Decision.Start start, Set<NodeId> closed) {
        var each = job.facts().groups().getFirst().each();
        var here = world.nodes.get(start.placements().getFirst().node());
        int room = 0;
        for (var node : world.nodes.values()) {
            boolean alike = here != null
                    && node.pool().equals(here.pool())
                    && node.gpuType().equals(here.gpuType())
                    && node.gpuMemoryMib() == here.gpuMemoryMib();
            if (alike
                    && node.takesReplicas()
                    && !closed.contains(node.id())
                    && !job.excludedNodes().contains(node.id())
                    && world.reservedForHeadsAtLast(node, job.id()).equals(Resources.NONE)) {
                room += count(each, node, job, start.placements().size());
            }
        }
        return room;
    }

    private int count(Resources each, NodeView node, WaitingJob job, int most) {
        int count = 0;
        while (count < most
                && Fit.fits(each.times(count + 1), world.freeNow(node))
                && Fit.fits(each.times(count + 1), world.freeLater(node, job.id()))) {
            count++;
        }
        return count;
    }
}
