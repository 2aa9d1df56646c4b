package io.muster.scheduling.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.GroupShape;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.model.TeamPath;
import io.muster.model.TopologyRequest;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.scheduling.snapshot.QuotaView;
import io.muster.scheduling.snapshot.TeamView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Fleets with gaps everywhere, and gangs that want whole nodes: moving makes the fleet better, and ends. */
class MovesPropertyTest {
    private static final PoolId POOL = new PoolId("pool0");

    @Test
    void movesEndAndLeaveNobodyWithoutAPlace() {
        var moves = new AtomicInteger();
        var started = new AtomicInteger();
        Seeds.of(4).parallel().forEach(seed -> {
            try {
                var world = scattered(new Random(seed));
                var trial = new Trial(world);
                var movedAt = new HashMap<JobId, Instant>();
                var gangs = new ArrayList<JobId>();
                for (int i = 0; i < 3; i++) {
                    gangs.add(submit(world, 8, "gangs", null));
                }
                for (int step = 0; step < 12; step++) {
                    look(world, movedAt);
                    trial.cycle("seed " + seed + " step " + step);
                    world.pass(Duration.ofMinutes(4), new Random(seed + step));
                }
                moves.addAndGet(world.moves);
                started.addAndGet((int) gangs.stream()
                        .filter(id -> world.jobs.get(id).at == SimJob.At.PLACED)
                        .count());
                int before = world.moves;
                trial.calmDown();
                assertThat(world.moves - before)
                        .as("moves among jobs that want nothing new")
                        .isLessThanOrEqualTo(8 * gangs.size());
                if (world.jobs.values().stream().allMatch(j -> j.at == SimJob.At.PLACED || j.at == SimJob.At.WAITING)) {
                    nobodyWasPutOut(world);
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        });
        assertThat(moves.get()).as("jobs were moved at all").isPositive();
        assertThat(started.get()).as("gangs started").isPositive();
    }

    /** Small jobs were there first and all of them fit: none of them waits in the end because others came. */
    private static void nobodyWasPutOut(SimWorld world) {
        assertThat(world.jobs.values().stream().filter(j -> j.facts.gpus() == 1 && j.at == SimJob.At.WAITING))
                .as("small jobs that ran and wait now")
                .isEmpty();
    }

    /** What the next plan moves: not before it ran its time, and only where no whole node is free. */
    private static void look(SimWorld world, Map<JobId, Instant> movedAt) {
        var snapshot = world.snapshot();
        for (var decision : new Scheduler().plan(snapshot).decisions()) {
            if (decision instanceof Decision.RequestCheckpoint r && r.cause() == Decision.Cause.MOVE) {
                var last = movedAt.put(r.job(), world.now);
                assertThat(last == null
                                || !last.plus(world.settings.minRuntime()).isAfter(world.now))
                        .as(r.job() + " moves again")
                        .isTrue();
                assertThat(aWholeNodeIsFree(world, snapshot))
                        .as(r.job() + " moves without need")
                        .isFalse();
            }
        }
    }

    private static boolean aWholeNodeIsFree(SimWorld world, ClusterSnapshot snapshot) {
        var used = world.held();
        snapshot.reservations()
                .forEach(r -> r.placements().forEach(p -> used.merge(p.node(), p.amount(), Resources::plus)));
        return world.nodes.stream().filter(n -> !used.containsKey(n.id())).count()
                > snapshot.waiting().stream().filter(w -> w.facts().gpus() == 8).count();
    }

    /** Nodes on which jobs of one GPU ran and some ended. */
    private static SimWorld scattered(Random random) {
        var nodes = new ArrayList<NodeView>();
        int count = 3 + random.nextInt(5);
        for (int n = 0; n < count; n++) {
            var name = "n" + n;
            nodes.add(new NodeView(
                    new NodeId(name),
                    POOL,
                    new GpuTypeId("H100"),
                    81_920,
                    new Resources(8, 64_000, 512L << 30),
                    Resources.NONE,
                    new DomainPath(List.of("r" + n % 2, name)),
                    true));
        }
        var teams = new ArrayList<TeamView>();
        for (var team : List.of("small", "gangs")) {
            teams.add(new TeamView(
                    Ids.team(team),
                    null,
                    new TeamPath(team),
                    Map.of(POOL, new QuotaView(count * 4, null, null, 1, 0)),
                    null));
        }
        var world = new SimWorld(
                new Scenario(List.of(new PoolView(POOL, List.of("rack", "node"))), nodes, teams, List.of()));
        for (int i = 0; i < count * 8; i++) {
            submit(world, 1, "small", Duration.ofMinutes(1 + random.nextInt(30)));
        }
        world.carryOut(new Scheduler().plan(world.snapshot()));
        world.jobs.values().removeIf(j -> random.nextInt(5) > 1);
        world.pass(Duration.ofMinutes(1), random);
        world.pass(Duration.ofMinutes(15), random);
        return world;
    }

    private static JobId submit(SimWorld world, int gpus, String team, @Nullable Duration every) {
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
                List.of(new GroupShape("main", 1, Resources.gpus(gpus))),
                TopologyRequest.NONE,
                true,
                null,
                Duration.ofMinutes(2),
                every);
        world.jobs.put(facts.id(), new SimJob(facts));
        return facts.id();
    }
}
