package io.muster.scheduling.property;

import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.QuotaShape;
import io.muster.model.Resources;
import io.muster.model.TeamId;
import io.muster.model.TeamOrder;
import io.muster.model.TeamPath;
import io.muster.model.UserId;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.scheduling.snapshot.QuotaView;
import io.muster.scheduling.snapshot.TeamView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Makes random scenarios from a seed: fleets with odd nodes, trees of teams, sequences of events. */
final class Worlds {
    private static final long GIB = 1L << 30;
    private static final int[] ODD = {1, 2, 3, 5, 6, 7, 10, 16};
    private static final int STEPS = 14;
    private static final Event.What[] OFTEN = {
        Event.What.END,
        Event.What.END,
        Event.What.END,
        Event.What.END,
        Event.What.SUBMIT,
        Event.What.SUBMIT,
        Event.What.SUBMIT,
        Event.What.CANCEL,
        Event.What.CORDON,
        Event.What.FAIL,
        Event.What.SHRINK,
        Event.What.RETURN,
        Event.What.QUOTA,
        Event.What.CHECKPOINT
    };

    private final Random random;
    private final Random orders;
    private final Random shapes;
    private final List<PoolView> pools = new ArrayList<>();
    private final List<NodeView> nodes = new ArrayList<>();
    private final List<TeamView> teams = new ArrayList<>();

    Worlds(long seed) {
        random = new Random(seed);
        orders = new Random(~seed);
        shapes = new Random(seed * 31 + 17);
    }

    Scenario scenario() {
        int count = 1 + random.nextInt(2);
        for (int p = 0; p < count; p++) {
            fleet("pool" + p);
        }
        teams("", null, 0);
        var events = new ArrayList<Event>();
        for (int jobs = random.nextInt(25); jobs > 0; jobs--) {
            events.add(new Event(Event.What.SUBMIT, random.nextInt(100_000), 0));
        }
        for (int step = 0; step < STEPS; step++) {
            var what = OFTEN[random.nextInt(OFTEN.length)];
            for (int more = what == Event.What.SUBMIT ? random.nextInt(6) : 0; more > 0; more--) {
                events.add(new Event(what, random.nextInt(100_000), 0));
            }
            events.add(new Event(what, random.nextInt(100_000), 1 + random.nextInt(20)));
        }
        return new Scenario(pools, nodes, teams, events);
    }

    /** One pool, some teams at the top with guarantees, and one of them that fills everything. */
    SimWorld crowded(int mostGpus) {
        pools.add(new PoolView(new PoolId("pool0"), List.of("block", "rack", "node")));
        int count = 2 + random.nextInt(5);
        for (int n = 0; n < count; n++) {
            nodes.add(node("pool0", "b0", "r0", n, false));
        }
        int tops = 2 + random.nextInt(3);
        for (int t = 0; t < tops; t++) {
            var quota = new QuotaView(count * 6 / tops, null, null, 1, 0);
            teams.add(new TeamView(
                    Ids.team("t" + t), null, new TeamPath("t" + t), Map.of(new PoolId("pool0"), quota), null));
        }
        var world = new SimWorld(new Scenario(pools, nodes, teams, List.of()));
        var jobs = new Jobs(world, random);
        for (int i = 0; i < count * 8; i++) {
            jobs.submitPlain("t0", mostGpus);
        }
        return world;
    }

    void othersSubmit(SimWorld world, int mostGpus) {
        var jobs = new Jobs(world, random);
        for (int t = 1; t < world.teams.size(); t++) {
            for (int i = 0; i < 4 + random.nextInt(10); i++) {
                jobs.submitPlain("t" + t, mostGpus);
            }
        }
    }

    private void fleet(String pool) {
        pools.add(new PoolView(new PoolId(pool), List.of("block", "rack", "node")));
        int blocks = 1 + random.nextInt(2);
        int racks = 1 + random.nextInt(3);
        boolean mixed = random.nextInt(4) == 0;
        boolean odd = random.nextInt(3) == 0;
        for (int b = 0; b < blocks; b++) {
            var block = random.nextInt(12) == 0 ? "" : "b" + b;
            for (int r = 0; r < racks; r++) {
                for (int n = random.nextInt(4); n >= 0; n--) {
                    var node = node(pool, block, "r" + r, b * 100 + n, mixed && random.nextBoolean());
                    nodes.add(odd ? sized(node, ODD[random.nextInt(ODD.length)]) : node);
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
                other && random.nextBoolean() ? 40_960 : 81_920,
                new Resources(gpus, 64_000, 512 * GIB),
                foreign,
                new DomainPath(List.of(block, above, name)),
                random.nextInt(15) != 0);
    }

    static NodeView sized(NodeView n, int gpus) {
        var all = n.allocatable();
        return new NodeView(
                n.id(),
                n.pool(),
                n.gpuType(),
                n.gpuMemoryMib(),
                new Resources(gpus, all.cpuMillis(), all.memoryBytes()),
                n.foreign(),
                n.domain(),
                n.takesReplicas());
    }

    static NodeView open(NodeView n, boolean takes) {
        return new NodeView(
                n.id(), n.pool(), n.gpuType(), n.gpuMemoryMib(), n.allocatable(), n.foreign(), n.domain(), takes);
    }

    private void teams(String above, @Nullable TeamId parent, int depth) {
        int count = 1 + random.nextInt(depth == 0 ? 4 : 3);
        for (int t = 0; t < count; t++) {
            var path = above + (above.isEmpty() ? "" : "/") + "t" + t;
            var quotas = new HashMap<PoolId, QuotaView>();
            for (var pool : pools) {
                if (random.nextInt(5) > 0) {
                    quotas.put(pool.id(), shaped(quota(random), shapes));
                }
            }
            Integer userCap = random.nextInt(6) == 0 ? 4 + random.nextInt(8) : null;
            teams.add(new TeamView(
                    Ids.team(path), parent, new TeamPath(path), quotas, userCap, order(), use(quotas.keySet())));
            if (depth < 2 && random.nextInt(3) == 0) {
                teams(path, Ids.team(path), depth + 1);
            }
        }
    }

    /** Half of the teams first come, first served. */
    private TeamOrder order() {
        return orders.nextBoolean() ? TeamOrder.FIFO : TeamOrder.values()[orders.nextInt(3)];
    }

    /** Some of the users that {@link Jobs} knows used something lately. */
    private Map<PoolId, Map<UserId, Double>> use(Set<PoolId> in) {
        var use = new TreeMap<PoolId, Map<UserId, Double>>();
        for (var pool : new TreeSet<>(in)) {
            use.put(pool, Map.of(Ids.user("u" + orders.nextInt(4)), orders.nextInt(8) / 2.0));
        }
        return use;
    }

    static QuotaView quota(Random random) {
        int guaranteed = random.nextInt(24);
        Integer limit = random.nextInt(4) == 0 ? guaranteed + random.nextInt(24) : null;
        Integer lendable = random.nextInt(5) == 0 ? random.nextInt(8) : null;
        return new QuotaView(guaranteed, limit, lendable, random.nextInt(4), random.nextInt(3) / 2.0);
    }

    /** Every fourth guarantee that is large enough comes in part in whole domains. */
    static QuotaView shaped(QuotaView quota, Random random) {
        var level = List.of("node", "node", "rack", "block").get(random.nextInt(4));
        int gpus = level.equals("node") ? 3 + random.nextInt(6) : 6 + random.nextInt(11);
        int count = Math.min(1 + random.nextInt(2), quota.guaranteed() / gpus);
        boolean none = random.nextInt(4) > 0 || count == 0;
        var shapes = none ? List.<QuotaShape>of() : List.of(new QuotaShape(count, level, gpus));
        return new QuotaView(
                quota.guaranteed(), quota.limit(), quota.lendable(), quota.weight(), quota.usage(), shapes);
    }

    static <T> List<T> shuffled(List<T> list, Random random) {
        var copy = new ArrayList<>(list);
        Collections.shuffle(copy, random);
        return copy;
    }
}
