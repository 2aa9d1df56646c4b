package io.muster.scheduling.verify;

import io.muster.model.FailureClass;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.ReservationId;
import io.muster.model.Resources;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.WaitingJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The machine as the decisions of a plan change it, one after the other. */
final class World {
    final ClusterSnapshot snapshot;
    final Map<NodeId, NodeView> nodes = new HashMap<>();
    final Map<PoolId, PoolView> pools = new HashMap<>();
    final Map<JobId, WaitingJob> waiting = new HashMap<>();
    final Map<JobId, RunningJob> running = new HashMap<>();
    final Map<JobId, ReservationView> reservations = new HashMap<>();
    final Set<JobId> leaving = new HashSet<>();
    private final Map<ReservationId, ReservationView> byId = new HashMap<>();
    private final Map<NodeId, List<Stay>> stays = new HashMap<>();
    private final Map<JobId, Map<NodeId, Resources>> promises = new HashMap<>();
    private final Map<NodeId, Set<JobId>> promisedOn = new HashMap<>();
    private final Map<JobId, HeadStart> heads = new HashMap<>();

    /** What a job holds of one node. */
    private record Stay(JobId job, Resources amount, Instant end, boolean yields) {}

    private record HeadStart(PoolId pool, Map<NodeId, Resources> on, Instant at) {}

    /** True when the job's last attempt ended because its image could not be pulled. */
    boolean imageUnseen(JobId job) {
        var waits = waiting.get(job);
        return waits != null && waits.backoff() != null && waits.backoff().after() == FailureClass.IMAGE;
    }

    World(ClusterSnapshot snapshot) {
        this.snapshot = snapshot;
        snapshot.nodes().forEach(n -> nodes.put(n.id(), n));
        snapshot.pools().forEach(p -> pools.put(p.id(), p));
        snapshot.waiting().forEach(w -> waiting.put(w.id(), w));
        for (var r : snapshot.running()) {
            running.put(r.id(), r);
            stay(r.id(), r.placements(), end(r), r.backfilled());
            if (r.leaving()) {
                leaving.add(r.id());
            }
        }
        for (var r : snapshot.reservations()) {
            byId.put(r.id(), r);
            var mover = r.kind() != ReservationView.Kind.HEAD ? running.get(r.job()) : null;
            if (waiting.containsKey(r.job()) || (mover != null && movesOn(mover))) {
                reservations.put(r.job(), r);
                if (r.kind() != ReservationView.Kind.HEAD) {
                    promise(r.job(), r.placements());
                } else {
                    reserve(r.job(), r.pool(), r.placements(), r.startAt() == null ? snapshot.asOf() : r.startAt());
                }
            }
        }
    }

    /** It leaves its place for another's sake, or to go on with another number of replicas. */
    static boolean movesOn(RunningJob job) {
        return job.leaving() && job.leavingFor() != null;
    }

    static int gpus(List<ReplicaPlacement> placements) {
        return placements.stream().mapToInt(p -> p.amount().gpus()).sum();
    }

    private void stay(JobId job, List<ReplicaPlacement> on, Instant end, boolean yields) {
        byNode(on)
                .forEach((node, amount) ->
                        stays.computeIfAbsent(node, n -> new ArrayList<>()).add(new Stay(job, amount, end, yields)));
    }

    /** Sums by node, in order of nodes. */
    static Map<NodeId, Resources> byNode(List<ReplicaPlacement> on) {
        var sums = new TreeMap<NodeId, Resources>();
        on.forEach(p -> sums.merge(p.node(), p.amount(), Resources::plus));
        return sums;
    }

    /** When it must have ended, by its walltime or as policy assumes. */
    Instant end(RunningJob job) {
        var since = job.runningSince() == null ? job.startedAt() : job.runningSince();
        var length = job.facts().walltime() == null
                ? snapshot.settings().defaultRunTime()
                : job.facts().walltime();
        if (since.plus(length).isAfter(snapshot.asOf())) {
            return since.plus(length);
        }
        var ran = Duration.between(since, snapshot.asOf());
        return snapshot.asOf().plus(ran.toMinutes() < 1 ? Duration.ofMinutes(1) : ran);
    }

    Instant endOfStart(WaitingJob job) {
        var walltime = job.facts().walltime();
        return snapshot.asOf().plus(walltime == null ? snapshot.settings().defaultRunTime() : walltime);
    }

    void start(WaitingJob job, List<ReplicaPlacement> on, boolean backfilled) {
        release(job.id());
        stay(job.id(), on, endOfStart(job), backfilled);
    }

    void promise(JobId job, List<ReplicaPlacement> on) {
        release(job);
        var byNode = byNode(on);
        promises.put(job, byNode);
        byNode.keySet()
                .forEach(
                        n -> promisedOn.computeIfAbsent(n, k -> new HashSet<>()).add(job));
    }

    void reserve(JobId job, PoolId pool, List<ReplicaPlacement> on, Instant at) {
        release(job);
        heads.put(job, new HeadStart(pool, byNode(on), at));
    }

    /** What is promised to {@code job}, by node. */
    Map<NodeId, Resources> promisedTo(JobId job) {
        return promises.getOrDefault(job, Map.of());
    }

    /** Ends whatever is kept for {@code job}. */
    void release(JobId job) {
        var promise = promises.remove(job);
        if (promise != null) {
            promise.keySet().forEach(n -> promisedOn.getOrDefault(n, Set.of()).remove(job));
        }
        heads.remove(job);
    }

    @Nullable ReservationView reservation(ReservationId id) {
        return byId.get(id);
    }

    private List<Stay> staysOn(NodeView node) {
        return stays.getOrDefault(node.id(), List.of());
    }

    /** What is left of the node at this moment. */
    Resources freeNow(NodeView node) {
        var left = node.allocatable().minus(node.foreign());
        for (var stay : staysOn(node)) {
            left = left.minus(stay.amount);
        }
        return left;
    }

    /** What is left of the node once all that leave are gone and every promise to others than {@code job} is kept. */
    Resources freeLater(NodeView node, JobId job) {
        var left = node.allocatable().minus(node.foreign());
        for (var stay : staysOn(node)) {
            left = leaving.contains(stay.job) ? left : left.minus(stay.amount);
        }
        return left.minus(promisedToOthers(node, job));
    }

    private Resources promisedToOthers(NodeView node, JobId job) {
        var sum = Resources.NONE;
        for (var other : promisedOn.getOrDefault(node.id(), Set.of())) {
            sum = other.equals(job)
                    ? sum
                    : sum.plus(promises.getOrDefault(other, Map.of()).getOrDefault(node.id(), Resources.NONE));
        }
        return sum;
    }

    /** What heads other than {@code job} have reserved of the node. */
    Resources reservedForHeads(NodeView node, JobId job) {
        var sum = Resources.NONE;
        for (var head : heads.entrySet()) {
            sum = head.getKey().equals(job)
                    ? sum
                    : sum.plus(head.getValue().on.getOrDefault(node.id(), Resources.NONE));
        }
        return sum;
    }

    /** Heads that the plan reserves a place for, as it will stand at the plan's end. */
    final Map<JobId, List<ReplicaPlacement>> toCome = new HashMap<>();

    /** What heads other than {@code job} have reserved of the node, or will when the plan is carried out. */
    Resources reservedForHeadsAtLast(NodeView node, JobId job) {
        var sum = reservedForHeads(node, job);
        for (var head : toCome.entrySet()) {
            boolean counted = head.getKey().equals(job) || heads.containsKey(head.getKey());
            sum = counted ? sum : sum.plus(on(head.getValue(), node.id()));
        }
        return sum;
    }

    /** Heads that the plan moves: what others may take of them shows at its end only. */
    final Set<JobId> moving = new HashSet<>();

    /** Heads of the pool other than {@code job} that stay as they are. */
    List<JobId> headsOf(PoolId pool, JobId job) {
        return heads.entrySet().stream()
                .filter(h -> h.getValue().pool.equals(pool) && stands(h.getKey(), job))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private boolean stands(JobId head, JobId job) {
        return !head.equals(job) && !moving.contains(head);
    }

    /** GPUs that the head of {@code job} has reserved. */
    int headGpus(JobId job) {
        var head = heads.get(job);
        return head == null
                ? 0
                : head.on.values().stream().mapToInt(Resources::gpus).sum();
    }

    /** When the first head other than {@code job} in the pool is to start, or null. */
    @Nullable Instant firstHead(PoolId pool, JobId job) {
        return heads.entrySet().stream()
                .filter(h -> h.getValue().pool.equals(pool) && stands(h.getKey(), job))
                .map(h -> h.getValue().at)
                .min(Instant::compareTo)
                .orElse(null);
    }

    /** Whether a head other than {@code job} that stays as it is has reserved something of the node. */
    boolean isReservedForHead(NodeView node, JobId job) {
        return heads.entrySet().stream()
                .anyMatch(h -> stands(h.getKey(), job) && h.getValue().on.containsKey(node.id()));
    }

    /** What is left of the node, beyond the time of the heads that reserved it, after they started. */
    Resources freeBeyondHeads(NodeView node, JobId job) {
        var first = Instant.MAX;
        var kept = Resources.NONE;
        for (var head : heads.entrySet()) {
            var here = head.getValue().on.get(node.id());
            if (here != null && stands(head.getKey(), job)) {
                kept = kept.plus(here);
                first = head.getValue().at.isBefore(first) ? head.getValue().at : first;
            }
        }
        return freeAfter(node, first, job).minus(kept);
    }

    /** What is left of the node at that time, promises to others than {@code job} kept. */
    private Resources freeAfter(NodeView node, Instant time, JobId job) {
        var left = node.allocatable().minus(node.foreign());
        for (var stay : staysOn(node)) {
            if (!stay.yields && !leaving.contains(stay.job) && stay.end.isAfter(time)) {
                left = left.minus(stay.amount);
            }
        }
        return left.minus(promisedToOthers(node, job));
    }

    /** Whether the head of {@code job} has its place when its time comes, beside the other heads. */
    boolean canBeMet(JobId job) {
        var head = heads.get(job);
        if (head == null) {
            return true;
        }
        for (var wanted : head.on.entrySet()) {
            var node = nodes.get(wanted.getKey());
            if (node == null
                    || !Fit.fits(
                            wanted.getValue(), freeAfter(node, head.at, job).minus(reservedForHeads(node, job)))) {
                return false;
            }
        }
        return true;
    }

    static Resources on(List<ReplicaPlacement> placements, NodeId node) {
        var sum = Resources.NONE;
        for (var p : placements) {
            sum = p.node().equals(node) ? sum.plus(p.amount()) : sum;
        }
        return sum;
    }
}
