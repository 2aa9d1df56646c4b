package io.muster.scheduling.property;

import io.muster.model.GpuTypeId;
import io.muster.model.GroupShape;
import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.model.Slices;
import io.muster.model.TopologyRequest;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.PoolView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random jobs for a world. */
final class Jobs {
    private static final long GIB = 1L << 30;
    private final SimWorld world;
    private final Random random;

    Jobs(SimWorld world, Random random) {
        this.world = world;
        this.random = random;
    }

    void submit() {
        var facts = facts();
        var job = new SimJob(facts);
        if (random.nextInt(15) == 0) {
            job.backoffUntil = world.now.plus(Duration.ofMinutes(random.nextInt(20)));
        }
        if (random.nextInt(15) == 0 && !world.nodes.isEmpty()) {
            job.excluded.add(world.nodes.get(random.nextInt(world.nodes.size())).id());
        }
        world.jobs.put(facts.id(), job);
    }

    /** One replica with some GPUs of pool0, anywhere. */
    void submitPlain(String team, int mostGpus) {
        var facts = new JobFacts(
                world.nextJob(),
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
                List.of(new GroupShape("main", 1, Resources.gpus(1 + random.nextInt(mostGpus)))),
                TopologyRequest.NONE,
                true,
                null,
                Duration.ofMinutes(2),
                null);
        world.jobs.put(facts.id(), new SimJob(facts));
    }

    private JobFacts facts() {
        var team = world.teams.get(random.nextInt(world.teams.size())).id();
        boolean privileged = random.nextInt(25) == 0;
        int priority = privileged ? 2000 : (random.nextInt(4) - 1) * 100;
        var pools = new ArrayList<>(world.pools.stream().map(PoolView::id).toList());
        if (pools.size() > 1 && random.nextBoolean()) {
            pools.remove(random.nextInt(2));
        }
        JobId id = world.nextJob();
        return new JobFacts(
                id,
                team,
                Ids.user("u" + random.nextInt(4)),
                priority,
                privileged ? "production" : "p" + priority,
                privileged,
                privileged ? 16 : null,
                world.now.minus(Duration.ofMinutes(random.nextInt(600))),
                pools,
                random.nextInt(4) == 0 ? List.of(new GpuTypeId("A100"), new GpuTypeId("H100")) : List.of(),
                random.nextInt(8) == 0 ? 81_920 : 0,
                groups(),
                topology(),
                random.nextInt(5) > 0,
                random.nextInt(3) == 0 ? Duration.ofMinutes(10 + random.nextInt(600)) : null,
                Duration.ofMinutes(2),
                random.nextInt(3) == 0 ? Duration.ofMinutes(30) : null);
    }

    private List<GroupShape> groups() {
        int kind = random.nextInt(11);
        if (kind < 5) {
            return List.of(new GroupShape("main", 1, amount(1 + random.nextInt(4))));
        }
        if (kind < 7) {
            return List.of(group("main", 1 + random.nextInt(4), amount(8)));
        }
        if (kind < 9) {
            return List.of(group("main", 2 + random.nextInt(6), amount(1 + random.nextInt(3))));
        }
        if (kind < 10) {
            int size = 2 + random.nextInt(2);
            var slices = new Slices(size, List.of("block", "rack", "node").get(random.nextInt(3)));
            var workers = new GroupShape("main", size * (1 + random.nextInt(3)), amount(1 + random.nextInt(3)), slices);
            return random.nextInt(3) > 0
                    ? List.of(workers)
                    : List.of(new GroupShape("head", 1, amount(random.nextInt(3))), workers);
        }
        return List.of(
                new GroupShape("head", 1, new Resources(0, 8_000, 8 * GIB)),
                group("worker", 1 + random.nextInt(3), amount(2)));
    }

    /** Every third group is elastic. */
    private GroupShape group(String name, int replicas, Resources each) {
        int min = random.nextInt(3) == 0 ? 1 + random.nextInt(replicas) : replicas;
        return new GroupShape(name, replicas, min, each);
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
}
