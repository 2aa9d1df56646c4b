package io.muster.scheduling.property;

import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.GroupShape;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.model.TeamId;
import io.muster.model.TeamPath;
import io.muster.model.TopologyRequest;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.scheduling.snapshot.QuotaView;
import io.muster.scheduling.snapshot.TeamView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes random worlds from a seed: fleets, trees of teams, jobs. */
final class Worlds {
    private static final long GIB = 1L << 30;
    private final Random random;
    private long nextJob = 1;

    Worlds(long seed) {
        random = new Random(seed);
    }

    SimWorld world() {
        var world = new SimWorld(random);
        int pools = 1 + random.nextInt(2);
        for (int p = 0; p < pools; p++) {
            fleet(world, "pool" + p);
        }
        teams(world, "", null, 0);
        int jobs = random.nextInt(25);
        for (int i = 0; i < jobs; i++) {
            submit(world);
        }
        return world;
    }

    /** One pool, some teams at the top with guarantees, and one of them that fills everything. */
    SimWorld crowded() {
        var world = new SimWorld(random);
        world.pools.add(new PoolView(new PoolId("pool0"), List.of("block", "rack", "node")));
        int nodes = 2 + random.nextInt(5);
        for (int n = 0; n < nodes; n++) {
            world.nodes.add(node("pool0", "b0", "r0", n, false));
        }
        int teams = 2 + random.nextInt(3);
        for (int t = 0; t < teams; t++) {
            var quota = new QuotaView(nodes * 6 / teams, null, null, 1, 0);
            world.teams.add(new TeamView(
                    Ids.team("t" + t), null, new TeamPath("t" + t), Map.of(new PoolId("pool0"), quota), null));
        }
        for (int i = 0; i < nodes * 8; i++) {
            submit(world, plain(world, "t0"));
        }
        return world;
    }

    void othersSubmit(SimWorld world) {
        for (int t = 1; t < world.teams.size(); t++) {
            for (int i = 0; i < 4 + random.nextInt(10); i++) {
                submit(world, plain(world, "t" + t));
            }
        }
    }

    private JobFacts plain(SimWorld world, String team) {
        return new JobFacts(
                new JobId(nextJob++),
                Ids.team(team),
                Ids.user("u" + random.nextInt(3)),
                0,
                "normal",
                false,
                null,
                world.now.minusSeconds(random.nextInt(600)),
                List.of(new PoolId("pool0")),
                List.of(),
                0,
                List.of(new GroupShape("main", 1, Resources.gpus(1 + random.nextInt(2)))),
                TopologyRequest.NONE,
                true,
                null,
                Duration.ofMinutes(2),
                null);
    }

    private static void submit(SimWorld world, JobFacts facts) {
        world.jobs.put(facts.id(), new SimJob(facts));
    }

    private void fleet(SimWorld world, String pool) {
        world.pools.add(new PoolView(new PoolId(pool), List.of("block", "rack", "node")));
        int blocks = 1 + random.nextInt(2);
        int racks = 1 + random.nextInt(3);
        boolean mixed = random.nextInt(4) == 0;
        for (int b = 0; b < blocks; b++) {
            for (int r = 0; r < racks; r++) {
                int nodes = 1 + random.nextInt(4);
                for (int n = 0; n < nodes; n++) {
                    world.nodes.add(node(pool, "b" + b, "r" + r, n, mixed && random.nextBoolean()));
                }
            }
        }
    }

    private NodeView node(String pool, String block, String rack, int number, boolean other) {
        var name = pool + "-" + block + "-" + rack + "-" + number;
        var above = random.nextInt(12) == 0 ? "" : rack;
        int gpus = random.nextInt(4) == 0 ? 4 : 8;
        var foreign = random.nextInt(10) == 0 ? new Resources(1, 1000, GIB) : Resources.NONE;
        return new NodeView(
                new NodeId(name),
                new PoolId(pool),
                new GpuTypeId(other ? "A100" : "H100"),
                81_920,
                new Resources(gpus, 64_000, 512 * GIB),
                foreign,
                new DomainPath(List.of(block, above, name)),
                random.nextInt(15) != 0);
    }

    /** The node cordoned or back. */
    NodeView turned(NodeView n) {
        return new NodeView(
                n.id(),
                n.pool(),
                n.gpuType(),
                n.gpuMemoryMib(),
                n.allocatable(),
                n.foreign(),
                n.domain(),
                !n.takesReplicas());
    }

    private void teams(SimWorld world, String above, TeamId parent, int depth) {
        int count = 1 + random.nextInt(depth == 0 ? 4 : 3);
        for (int t = 0; t < count; t++) {
            var path = above + (above.isEmpty() ? "" : "/") + "t" + t;
            var quotas = new HashMap<PoolId, QuotaView>();
            for (var pool : world.pools) {
                if (random.nextInt(5) > 0) {
                    quotas.put(pool.id(), quota());
                }
            }
            Integer userCap = random.nextInt(6) == 0 ? 4 + random.nextInt(8) : null;
            world.teams.add(new TeamView(Ids.team(path), parent, new TeamPath(path), quotas, userCap));
            if (depth < 2 && random.nextInt(3) == 0) {
                teams(world, path, Ids.team(path), depth + 1);
            }
        }
    }

    private QuotaView quota() {
        int guaranteed = random.nextInt(24);
        Integer limit = random.nextInt(4) == 0 ? guaranteed + random.nextInt(24) : null;
        Integer lendable = random.nextInt(5) == 0 ? random.nextInt(8) : null;
        return new QuotaView(guaranteed, limit, lendable, random.nextInt(4), random.nextInt(3) / 2.0);
    }

    void submit(SimWorld world) {
        var facts = facts(world);
        var job = new SimJob(facts);
        if (random.nextInt(15) == 0) {
            job.backoffUntil = world.now.plus(Duration.ofMinutes(random.nextInt(20)));
        }
        if (random.nextInt(15) == 0) {
            job.excluded.add(world.nodes.get(random.nextInt(world.nodes.size())).id());
        }
        world.jobs.put(facts.id(), job);
    }

    private JobFacts facts(SimWorld world) {
        var team = world.teams.get(random.nextInt(world.teams.size())).id();
        boolean privileged = random.nextInt(25) == 0;
        int priority = privileged ? 2000 : (random.nextInt(4) - 1) * 100;
        var pools = new ArrayList<>(world.pools.stream().map(PoolView::id).toList());
        if (pools.size() > 1 && random.nextBoolean()) {
            pools.remove(random.nextInt(2));
        }
        return new JobFacts(
                new JobId(nextJob++),
                team,
                Ids.user("u" + random.nextInt(4)),
                priority,
                privileged ? "production" : "p" + priority,
                privileged,
                privileged ? 16 : null,
                world.now.minus(Duration.ofMinutes(random.nextInt(600))),
                pools,
                random.nextInt(4) == 0 ? List.of(new GpuTypeId("A100"), new GpuTypeId("H100")) : List.of(),
                0,
                groups(),
                topology(),
                random.nextInt(5) > 0,
                random.nextInt(3) == 0 ? Duration.ofMinutes(10 + random.nextInt(600)) : null,
                Duration.ofMinutes(2),
                random.nextInt(3) == 0 ? Duration.ofMinutes(30) : null);
    }

    private List<GroupShape> groups() {
        int kind = random.nextInt(10);
        if (kind < 5) {
            return List.of(new GroupShape("main", 1, amount(1 + random.nextInt(4))));
        }
        if (kind < 7) {
            return List.of(new GroupShape("main", 1 + random.nextInt(4), amount(8)));
        }
        if (kind < 9) {
            return List.of(new GroupShape("main", 2 + random.nextInt(6), amount(1 + random.nextInt(3))));
        }
        return List.of(
                new GroupShape("head", 1, new Resources(0, 8_000, 8 * GIB)),
                new GroupShape("worker", 1 + random.nextInt(3), amount(2)));
    }

    private Resources amount(int gpus) {
        return new Resources(gpus, gpus * 4_000L * (1 + random.nextInt(2)), gpus * 16L * GIB);
    }

    private TopologyRequest topology() {
        var levels = List.of("block", "rack", "node");
        return switch (random.nextInt(6)) {
            case 0 -> new TopologyRequest(levels.get(random.nextInt(3)), null, Duration.ZERO);
            case 1 -> new TopologyRequest(null, levels.get(random.nextInt(3)), Duration.ofMinutes(15));
            case 2 -> new TopologyRequest("block", "rack", Duration.ofMinutes(random.nextInt(30)));
            default -> TopologyRequest.NONE;
        };
    }

    static <T> List<T> shuffled(List<T> list, Random random) {
        var copy = new ArrayList<>(list);
        java.util.Collections.shuffle(copy, random);
        return copy;
    }
}
