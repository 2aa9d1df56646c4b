package io.muster.scheduling.build;

import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.ReservationId;
import io.muster.model.Resources;
import io.muster.model.TeamOrder;
import io.muster.model.TeamPath;
import io.muster.model.UserId;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.ModeView;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.scheduling.snapshot.QuotaView;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.snapshot.TeamView;
import io.muster.scheduling.verify.PlanVerifier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A cluster in words: {@code cluster().rack("r1", node("n1").gpus(8)).team("vision", guaranteed(4))}. */
public final class Cluster {
    private final Map<String, PoolView> pools = new LinkedHashMap<>();
    private final List<NodeView> nodes = new ArrayList<>();
    private final Map<String, Map<PoolId, QuotaView>> quotas = new LinkedHashMap<>();
    private final Map<String, Integer> userCaps = new HashMap<>();
    private final Map<String, TeamOrder> orders = new HashMap<>();
    private final Map<String, Map<UserId, Double>> uses = new HashMap<>();
    private final List<Job> jobs = new ArrayList<>();
    private final List<ReservationView> reservations = new ArrayList<>();
    private String pool = "gpu";
    private PolicySettings settings = PolicySettings.SHIPPED;
    private ModeView mode = ModeView.RUNNING;
    private Instant asOf = Job.NOW;

    private Cluster() {
        pools.put(pool, new PoolView(new PoolId(pool), List.of("rack", "node")));
    }

    public static Cluster cluster() {
        return new Cluster();
    }

    /** What follows stands in this pool; the first call replaces the pool that a new cluster has. */
    public Cluster pool(String name, String... levels) {
        if (nodes.isEmpty() && quotas.isEmpty()) {
            pools.remove("gpu");
        }
        pool = name;
        pools.put(name, new PoolView(new PoolId(name), List.of(levels)));
        return this;
    }

    public Cluster reclaimedLately(int gpus) {
        var present = pools.get(pool);
        pools.put(pool, new PoolView(present.id(), present.levels(), gpus));
        return this;
    }

    /** Nodes in a rack, or at a path such as {@code "b1/r1"}; an empty part is a missing label. */
    public Cluster rack(String path, Node... members) {
        var above = path.isEmpty() ? List.of("") : List.of(path.split("/", -1));
        for (var member : members) {
            nodes.add(member.view(pool, above));
        }
        return this;
    }

    /** A team with its quota in the present pool; parents must come first. */
    public Cluster team(String path, Quota quota) {
        quotas.computeIfAbsent(path, p -> new HashMap<>()).put(new PoolId(pool), quota.view());
        return this;
    }

    public Cluster team(String path) {
        quotas.computeIfAbsent(path, p -> new HashMap<>());
        return this;
    }

    public Cluster userCap(String path, int gpus) {
        userCaps.put(path, gpus);
        return this;
    }

    public Cluster order(String path, TeamOrder order) {
        orders.put(path, order);
        return this;
    }

    /** What a user used lately in the present pool, over the mean of the team's users. */
    public Cluster used(String path, String user, double ofMean) {
        uses.computeIfAbsent(path, p -> new HashMap<>()).put(Ids.user(user), ofMean);
        return this;
    }

    /** Waiting jobs, and running ones: those that are {@code on} nodes. */
    public Cluster jobs(Job... some) {
        jobs.addAll(List.of(some));
        return this;
    }

    public Cluster reserve(
            ReservationView.Kind kind, long job, @Nullable Duration startsIn, int gpusEach, String... on) {
        var placements = new ArrayList<ReplicaPlacement>();
        for (int i = 0; i < on.length; i++) {
            placements.add(new ReplicaPlacement("main", i, new NodeId(on[i]), Resources.gpus(gpusEach)));
        }
        reservations.add(new ReservationView(
                new ReservationId(Ids.uuid("reservation " + job)),
                new JobId(job),
                new PoolId(pool),
                kind,
                placements,
                startsIn == null ? null : asOf.plus(startsIn),
                null));
        return this;
    }

    public Cluster reservation(ReservationView reservation) {
        reservations.add(reservation);
        return this;
    }

    public Cluster mode(ModeView value) {
        mode = value;
        return this;
    }

    public Cluster settings(PolicySettings value) {
        settings = value;
        return this;
    }

    public Cluster at(Instant instant) {
        asOf = instant;
        return this;
    }

    public ClusterSnapshot snapshot() {
        var names = List.copyOf(pools.keySet());
        var poolOf = new HashMap<String, String>();
        nodes.forEach(n -> poolOf.put(n.id().value(), n.pool().value()));
        var teams = quotas.entrySet().stream()
                .map(e -> new TeamView(
                        Ids.team(e.getKey()),
                        parent(e.getKey()),
                        new TeamPath(e.getKey()),
                        e.getValue(),
                        userCaps.get(e.getKey()),
                        orders.getOrDefault(e.getKey(), TeamOrder.FIFO),
                        uses.containsKey(e.getKey()) ? Map.of(new PoolId(pool), uses.get(e.getKey())) : Map.of()))
                .toList();
        return new ClusterSnapshot(
                asOf,
                settings,
                mode,
                List.copyOf(pools.values()),
                nodes,
                teams,
                jobs.stream()
                        .filter(j -> !j.isRunning())
                        .map(j -> j.waiting(names))
                        .toList(),
                jobs.stream()
                        .filter(Job::isRunning)
                        .map(j -> j.running(names, poolOf.getOrDefault(j.places.getFirst(), pool)))
                        .toList(),
                reservations);
    }

    private static io.muster.model.@Nullable TeamId parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? null : Ids.team(path.substring(0, slash));
    }

    public Planned plan() {
        var snapshot = snapshot();
        SchedulingPlan plan = new Scheduler().plan(snapshot);
        // Whatever a test is about, the plan must hold before the verifier.
        var breaches = PlanVerifier.verify(snapshot, plan);
        if (!breaches.isEmpty() || !plan.setAside().isEmpty()) {
            throw new AssertionError(breaches + " " + plan.setAside());
        }
        return new Planned(snapshot, plan);
    }
}
