package io.muster.scheduling.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.GroupShape;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.QuotaShape;
import io.muster.model.Resources;
import io.muster.model.Slices;
import io.muster.model.TeamPath;
import io.muster.model.TopologyRequest;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.scheduling.snapshot.QuotaView;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.snapshot.TeamView;
import io.muster.scheduling.verify.PlanVerifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Guarantees with shapes in fleets that others use as they like. */
class ShapesPropertyTest {
    private static final PoolId POOL = new PoolId("pool0");
    private static final int PER_NODE = 8;
    private static final int MOST_STEPS = 60;

    /**
     * Whatever others submitted, in whatever order, a gang equal to the shape of a team that had nothing starts or has its
     * place promised in the very cycle in which it is seen. What others run can be preempted and has run its time.
     */
    @Test
    void theShapedGangOfAnIdleOwnerStartsWhateverOthersDid() {
        var asked = new AtomicInteger();
        var promised = new AtomicInteger();
        var failures = new ConcurrentSkipListMap<Long, String>();
        Seeds.of(4).parallel().forEach(seed -> {
            try {
                ownerAsks(seed, asked, promised);
            } catch (AssertionError | RuntimeException e) {
                failures.put(seed, String.valueOf(e.getMessage()));
            }
        });
        assertThat(failures).isEmpty();
        assertThat(asked.get()).as("owners asked").isPositive();
        assertThat(promised.get()).as("places were made at all").isPositive();
    }

    private static void ownerAsks(long seed, AtomicInteger asked, AtomicInteger promised) {
        var random = new Random(seed);
        var shape = shape(random);
        var world = world(random, shape);
        if (!othersLive(world, random)) {
            return;
        }
        asked.incrementAndGet();
        var gang = submit(world, gang(shape), "owner", topology(shape));
        cycle(world);
        var job = Objects.requireNonNull(world.jobs.get(gang));
        var place = world.reservations.get(gang);
        boolean victims = place != null && place.kind() == ReservationView.Kind.VICTIMS;
        promised.addAndGet(victims ? 1 : 0);
        assertThat(job.at == SimJob.At.PLACED || victims)
                .as("the gang of %s is %s, %s", shape, job.at, place)
                .isTrue();
        calmDown(world);
    }

    private static SchedulingPlan cycle(SimWorld world) {
        var snapshot = world.snapshot();
        var plan = new Scheduler().plan(snapshot);
        assertThat(plan.setAside()).isEmpty();
        assertThat(PlanVerifier.verify(snapshot, plan)).isEmpty();
        world.carryOut(plan);
        return plan;
    }

    /** Nobody is taken from in turn. */
    private static void calmDown(SimWorld world) {
        world.served = false;
        int last = 0;
        for (int step = 0; step < 24; step++) {
            boolean takes = cycle(world).decisions().stream()
                    .anyMatch(d -> d instanceof Decision.RequestCheckpoint r && r.cause() == Decision.Cause.SHAPE);
            last = takes ? step : last;
            world.pass(Duration.ofMinutes(11), new Random(step));
        }
        assertThat(last).as("the last time that somebody yields to a shape").isLessThan(12);
    }

    private static QuotaShape shape(Random random) {
        return random.nextInt(3) > 0
                ? new QuotaShape(1 + random.nextInt(2), "node", 5 + random.nextInt(4))
                : new QuotaShape(1, "rack", 2 * PER_NODE);
    }

    private static List<GroupShape> gang(QuotaShape shape) {
        return shape.level().equals("node")
                ? List.of(new GroupShape("main", shape.count(), Resources.gpus(shape.gpus())))
                : List.of(new GroupShape("main", shape.gpus() / PER_NODE, Resources.gpus(PER_NODE)));
    }

    private static TopologyRequest topology(QuotaShape shape) {
        return shape.level().equals("node") ? TopologyRequest.NONE : new TopologyRequest("rack", null, Duration.ZERO);
    }

    /** Racks of two or three nodes; a team with the shape, one that may have another of nodes, and one without. */
    private static SimWorld world(Random random, QuotaShape shape) {
        var nodes = new ArrayList<NodeView>();
        int racks = 2 + random.nextInt(2);
        for (int r = 0; r < racks; r++) {
            for (int n = 2 + random.nextInt(2); n > 0; n--) {
                nodes.add(node("r" + r, n));
            }
        }
        int owners = (int) shape.total();
        int left = nodes.size() * PER_NODE - owners;
        int first = random.nextInt(left + 1);
        boolean another = first >= PER_NODE && shape.level().equals("node") && random.nextBoolean();
        var shapes = another ? List.of(new QuotaShape(1, "node", 1 + random.nextInt(PER_NODE))) : List.<QuotaShape>of();
        var teams = List.of(
                team("owner", owners, List.of(shape)), team("a", first, shapes), team("b", left - first, List.of()));
        return new SimWorld(new Scenario(
                new ArrayList<>(List.of(new PoolView(POOL, List.of("block", "rack", "node")))),
                nodes,
                teams,
                List.of()));
    }

    private static NodeView node(String rack, int number) {
        var name = rack + "-" + number;
        return new NodeView(
                new NodeId(name),
                POOL,
                new GpuTypeId("H100"),
                81_920,
                new Resources(PER_NODE, 64_000, 512L << 30),
                Resources.NONE,
                new DomainPath(List.of("b0", rack, name)),
                true);
    }

    private static TeamView team(String name, int guaranteed, List<QuotaShape> shapes) {
        var quota = new QuotaView(guaranteed, null, null, 1, 0, shapes);
        return new TeamView(Ids.team(name), null, new TeamPath(name), Map.of(POOL, quota), null);
    }

    /**
     * Others come, end, save and go; in the end nothing happens any more for longer than any protection lasts.
     *
     * @return false when there is no end to what happens
     */
    private static boolean othersLive(SimWorld world, Random random) {
        for (int step = 0; step < 8; step++) {
            for (int jobs = random.nextInt(14); jobs > 0; jobs--) {
                submit(world, anything(random), random.nextBoolean() ? "a" : "b", anywhere(random));
            }
            cycle(world);
            world.pass(Duration.ofMinutes(1 + random.nextInt(30)), new Random(random.nextLong()));
            for (var job : world.jobs.values()) {
                if (job.at == SimJob.At.PLACED && random.nextInt(4) == 0) {
                    job.at = SimJob.At.LEAVING;
                } else if (job.at == SimJob.At.PLACED && random.nextInt(6) == 0) {
                    job.checkpointAt = world.now;
                }
            }
        }
        // What was promised to others before is theirs: the world rests when nobody waits for a promise.
        boolean rests = false;
        for (int step = 0; step < MOST_STEPS && !rests; step++) {
            rests = cycle(world).decisions().isEmpty() && isAtRest(world);
            world.pass(Duration.ofMinutes(20), new Random(step));
        }
        if (!rests) {
            return false;
        }
        world.pass(Duration.ofMinutes(1), new Random(0)); // whoever was placed runs
        world.pass(Duration.ofMinutes(61), new Random(0));
        return true;
    }

    private static boolean isAtRest(SimWorld world) {
        return world.jobs.values().stream().noneMatch(j -> j.at == SimJob.At.LEAVING)
                && world.reservations.values().stream().allMatch(r -> r.kind() == ReservationView.Kind.HEAD);
    }

    private static List<GroupShape> anything(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> List.of(new GroupShape("main", 1 + random.nextInt(3), Resources.gpus(PER_NODE)));
            case 1 -> List.of(new GroupShape("main", 2 + random.nextInt(3), Resources.gpus(2)));
            case 2 ->
                List.of(new GroupShape("main", 2 * (1 + random.nextInt(2)), Resources.gpus(2), new Slices(2, "rack")));
            default -> List.of(new GroupShape("main", 1, Resources.gpus(1 + random.nextInt(5))));
        };
    }

    private static TopologyRequest anywhere(Random random) {
        return random.nextInt(4) > 0 ? TopologyRequest.NONE : new TopologyRequest("rack", null, Duration.ZERO);
    }

    private static JobId submit(SimWorld world, List<GroupShape> groups, String team, TopologyRequest topology) {
        var facts = new JobFacts(
                world.nextJob(),
                Ids.team(team),
                Ids.user("u"),
                0,
                "normal",
                false,
                null,
                world.now,
                List.of(POOL),
                List.of(),
                0,
                groups,
                topology,
                true,
                null,
                Duration.ofMinutes(2),
                every(world));
        world.jobs.put(facts.id(), new SimJob(facts));
        return facts.id();
    }

    /** Every third job saves by itself. */
    private static @Nullable Duration every(SimWorld world) {
        return world.jobs.size() % 3 == 0 ? Duration.ofMinutes(10) : null;
    }
}
