package io.muster.scheduling.verify;

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
    private final List<Stay> stays = new ArrayList<>();
    private final Map<JobId, List<ReplicaPlacement>> promises = new HashMap<>();
    private final Map<JobId, HeadStart> heads = new HashMap<>();

    /** A job on its nodes. */
    private record Stay(JobId job, List<ReplicaPlacement> on, Instant end, boolean yields) {}

    private record HeadStart(List<ReplicaPlacement> on, Instant at) {}

    World(ClusterSnapshot snapshot) {
        this.snapshot = snapshot;
        snapshot.nodes().forEach(n -> nodes.put(n.id(), n));
        snapshot.pools().forEach(p -> pools.put(p.id(), p));
        snapshot.waiting().forEach(w -> waiting.put(w.id(), w));
        for (var r : snapshot.running()) {
            running.put(r.id(), r);
            stays.add(new Stay(r.id(), r.placements(), end(r), r.backfilled()));
            if (r.leaving()) {
                leaving.add(r.id());
            }
        }
        for (var r : snapshot.reservations()) {
            if (waiting.containsKey(r.job())) {
                reservations.put(r.job(), r);
                hold(r);
            }
        }
    }

    private void hold(ReservationView r) {
        if (r.kind() == ReservationView.Kind.VICTIMS) {
            promises.put(r.job(), r.placements());
        } else {
            heads.put(r.job(), new HeadStart(r.placements(), r.startAt() == null ? snapshot.asOf() : r.startAt()));
        }
    }

    private Instant end(RunningJob job) {
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
        stays.add(new Stay(job.id(), on, endOfStart(job), backfilled));
    }

    void promise(JobId job, List<ReplicaPlacement> on) {
        release(job);
        promises.put(job, on);
    }

    void reserve(JobId job, List<ReplicaPlacement> on, Instant at) {
        release(job);
        heads.put(job, new HeadStart(on, at));
    }

    /** Ends whatever is kept for {@code job}. */
    void release(JobId job) {
        promises.remove(job);
        heads.remove(job);
    }

    @Nullable ReservationView reservation(ReservationId id) {
        return snapshot.reservations().stream()
                .filter(r -> r.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    /** What is left of the node at this moment. */
    Resources freeNow(NodeView node) {
        var left = node.allocatable().minus(node.foreign());
        for (var stay : stays) {
            left = left.minus(on(stay.on, node.id()));
        }
        return left;
    }

    /** What is left of the node once all that leave are gone and every promise to others than {@code job} is kept. */
    Resources freeLater(NodeView node, JobId job) {
        var left = node.allocatable().minus(node.foreign());
        for (var stay : stays) {
            left = leaving.contains(stay.job) ? left : left.minus(on(stay.on, node.id()));
        }
        for (var promise : promises.entrySet()) {
            left = promise.getKey().equals(job) ? left : left.minus(on(promise.getValue(), node.id()));
        }
        return left;
    }

    /** Whether a head other than {@code job} has reserved something of the node. */
    boolean isReservedForHead(NodeView node, JobId job) {
        return heads.entrySet().stream()
                .anyMatch(h -> !h.getKey().equals(job)
                        && !on(h.getValue().on, node.id()).equals(Resources.NONE));
    }

    /** When the first head other than {@code job} in the pool is to start, or null. */
    @Nullable Instant firstHead(PoolId pool, JobId job) {
        Instant first = null;
        for (var head : heads.entrySet()) {
            var node = nodes.get(head.getValue().on.getFirst().node());
            boolean counts =
                    !head.getKey().equals(job) && node != null && node.pool().equals(pool);
            if (counts && (first == null || head.getValue().at.isBefore(first))) {
                first = head.getValue().at;
            }
        }
        return first;
    }

    /** What is left of the node, beyond the time of the heads that reserved it, after they started. */
    Resources freeBeyondHeads(NodeView node, JobId job) {
        var first = Instant.MAX;
        var left = node.allocatable().minus(node.foreign());
        for (var head : heads.entrySet()) {
            var kept = on(head.getValue().on, node.id());
            if (!head.getKey().equals(job) && !kept.equals(Resources.NONE)) {
                left = left.minus(kept);
                first = head.getValue().at.isBefore(first) ? head.getValue().at : first;
            }
        }
        for (var stay : stays) {
            if (!stay.yields && !leaving.contains(stay.job) && stay.end.isAfter(first)) {
                left = left.minus(on(stay.on, node.id()));
            }
        }
        for (var promise : promises.entrySet()) {
            left = promise.getKey().equals(job) ? left : left.minus(on(promise.getValue(), node.id()));
        }
        return left;
    }

    static Resources on(List<ReplicaPlacement> placements, NodeId node) {
        var sum = Resources.NONE;
        for (var p : placements) {
            sum = p.node().equals(node) ? sum.plus(p.amount()) : sum;
        }
        return sum;
    }
}
