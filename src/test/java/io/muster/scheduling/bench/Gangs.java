package io.muster.scheduling.bench;

import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.GroupShape;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.Resources;
import io.muster.model.TeamPath;
import io.muster.model.TopologyRequest;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.ModeView;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.scheduling.snapshot.QuotaView;
import io.muster.scheduling.snapshot.TeamView;
import io.muster.scheduling.snapshot.WaitingJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Gangs with topology on an empty fleet: T4. */
final class Gangs {
    private final int nodes;
    private final int nodesInRack;
    private final List<WaitingJob> queue = new ArrayList<>();

    private Gangs(int nodes, int nodesInRack) {
        this.nodes = nodes;
        this.nodesInRack = nodesInRack;
    }

    /** 750 gangs of 4 pods in a rack each and 9 of 1,000 pods in a block each; 50 racks, 10 to a block. */
    static ClusterSnapshot many(int nodes) {
        var gangs = new Gangs(nodes, nodes / 50);
        for (int i = 0; i < 750; i++) {
            gangs.add(4, 1, "rack");
        }
        for (int i = 0; i < 9; i++) {
            gangs.add(1_000, 1, "block");
        }
        return gangs.snapshot();
    }

    /** Gangs of 4 x 8 GPUs in a rack each, for nine tenths of the fleet. */
    static ClusterSnapshot racks(int nodes) {
        var gangs = new Gangs(nodes, 50);
        for (int i = 0; i < nodes * 9 / 40; i++) {
            gangs.add(4, 8, "rack");
        }
        return gangs.snapshot();
    }

    /** One gang that takes every node. */
    static ClusterSnapshot one(int nodes) {
        var gangs = new Gangs(nodes, 50);
        gangs.add(nodes, 8, null);
        return gangs.snapshot();
    }

    private void add(int replicas, int gpus, String level) {
        var each = new Resources(gpus, gpus * 8_000L, gpus * (64L << 30));
        var facts = new JobFacts(
                new JobId(queue.size() + 1),
                Ids.team("t" + queue.size() % 10),
                Ids.user("u" + queue.size() % 10),
                0,
                "normal",
                false,
                null,
                Workload.NOW.minusSeconds(1_000 - queue.size() % 1_000),
                List.of(Workload.POOL),
                List.of(),
                0,
                List.of(new GroupShape("main", replicas, each)),
                level == null ? TopologyRequest.NONE : new TopologyRequest(level, null, Duration.ZERO),
                true,
                null,
                Duration.ofMinutes(2),
                null);
        queue.add(new WaitingJob(facts, facts.submittedAt(), null, Set.of(), Set.of()));
    }

    private ClusterSnapshot snapshot() {
        var views = new ArrayList<NodeView>();
        for (int n = 0; n < nodes; n++) {
            int rack = n / nodesInRack;
            views.add(new NodeView(
                    new NodeId("n" + n),
                    Workload.POOL,
                    new GpuTypeId("H100"),
                    81_920,
                    new Resources(8, 128_000, 1L << 40),
                    Resources.NONE,
                    new DomainPath(List.of("b" + rack / 10, "r" + rack, "n" + n)),
                    true));
        }
        var teams = new ArrayList<TeamView>();
        for (int t = 0; t < 10; t++) {
            var quotas = Map.of(Workload.POOL, new QuotaView(nodes * 8 / 10, null, null, 1, 0));
            teams.add(new TeamView(Ids.team("t" + t), null, new TeamPath("t" + t), quotas, null));
        }
        return new ClusterSnapshot(
                Workload.NOW,
                PolicySettings.SHIPPED,
                ModeView.RUNNING,
                List.of(new PoolView(Workload.POOL, List.of("block", "rack", "node"))),
                views,
                teams,
                queue,
                List.of(),
                List.of());
    }
}
