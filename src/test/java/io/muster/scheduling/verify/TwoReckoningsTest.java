package io.muster.scheduling.verify;

import static io.muster.scheduling.build.Cluster.cluster;
import static io.muster.scheduling.build.Job.job;
import static io.muster.scheduling.build.Node.node;
import static io.muster.scheduling.build.Quota.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.model.TeamId;
import io.muster.model.TeamOrder;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.build.Node;
import io.muster.scheduling.build.Quota;
import io.muster.scheduling.fairshare.PoolShares;
import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.ordering.InnerOrder;
import io.muster.scheduling.problem.Problem;
import io.muster.scheduling.verify.Tree.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The verifier reckons shares, pools and turns by code of its own: on small random worlds it finds what the core finds. */
class TwoReckoningsTest {
    private static final PoolId POOL = new PoolId("gpu");

    private static Quota quota(Random random) {
        var quota = guaranteed(random.nextInt(10)).weight(random.nextInt(4)).usage(random.nextInt(5) / 2.0);
        quota = random.nextInt(4) == 0 ? quota.limit(random.nextInt(14)) : quota;
        return random.nextInt(3) == 0 ? quota.lendable(random.nextInt(5)) : quota;
    }

    private static void team(Cluster cluster, String path, Random random, List<String> paths) {
        if (random.nextInt(4) == 0) {
            cluster.team(path);
        } else {
            cluster.team(path, quota(random));
        }
        paths.add(path);
        int depth = path.split("/").length;
        for (int i = random.nextInt(3); depth < 3 && i > 0; i--) {
            team(cluster, path + "/" + i, random, paths);
        }
    }

    @Test
    void ofSharesInEveryTree() {
        for (int seed = 0; seed < 300; seed++) {
            var random = new Random(seed);
            var cluster = cluster();
            var paths = new ArrayList<String>();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                team(cluster, "t" + i, random, paths);
            }
            var wanted = new HashMap<TeamId, Integer>();
            for (var path : paths) {
                if (random.nextBoolean()) {
                    int gpus = random.nextInt(20);
                    wanted.put(Ids.team(path), gpus);
                    cluster.jobs(job(wanted.size()).team(path).gpus(gpus));
                }
            }
            compare("seed " + seed, cluster, random.nextInt(48), wanted);
        }
    }

    private static void compare(String about, Cluster cluster, int capacity, Map<TeamId, Integer> wanted) {
        var snapshot = cluster.snapshot();
        var tree = new TeamTree(snapshot.teams(), wanted.keySet());
        int[] wishes = new int[tree.size()];
        wanted.forEach((team, gpus) -> wishes[tree.leaf(team)] = gpus);
        var shares = new PoolShares(tree, POOL, capacity, 1, wishes);

        var steps = new Tree(snapshot);
        var demand = new HashMap<Step, Long>();
        wanted.forEach((team, gpus) -> demand.put(steps.way(team).getFirst(), (long) gpus));
        var deserved = new Deserved(steps, POOL, capacity, 1, demand);
        for (int i = 0; i < tree.size(); i++) {
            var step = new Step(tree.team(i).id(), tree.isOwn(i));
            var where = about + ", " + tree.team(i).path() + " of " + capacity;
            assertThat(deserved.guaranteed(step)).as(where).isEqualTo(shares.guaranteed(i));
            assertThat(deserved.withheld(step)).as(where).isEqualTo(shares.withheld(i));
            assertThat(deserved.deserved(step)).as(where).isEqualTo(shares.deserved(i));
        }
    }

    private static Cluster fleet(Random random) {
        var cluster = cluster();
        for (var pool : List.of("p", "q")) {
            cluster.pool(pool, "rack", "node");
            for (int i = 1 + random.nextInt(5); i > 0; i--) {
                int rack = random.nextInt(3);
                cluster.rack(
                        rack == 0 ? "" : "r" + rack,
                        node(pool + i)
                                .type(random.nextBoolean() ? "H100" : "A100")
                                .gpus(4 * (1 + random.nextInt(2)))
                                .cpus(16 * (1 + random.nextInt(3)))
                                .memory((8L << random.nextInt(3)) * Node.GIB));
            }
        }
        return cluster.team("a");
    }

    private static Job wish(long id, Random random) {
        var job = job(id).gpuMemory(random.nextInt(8) == 0 ? 81_921 : 81_920);
        for (int g = 1 + random.nextInt(2); g > 0; g--) {
            var each = new Resources(random.nextInt(6), 4_000L * random.nextInt(5), random.nextInt(3) * 4L * Node.GIB);
            int count = 1 + random.nextInt(6);
            switch (random.nextInt(4)) {
                case 0 -> job.group("g" + g, 2 * count, each, 2, random.nextBoolean() ? "rack" : "node");
                case 1 -> job.group("g" + g, 3 * count, each, 3, random.nextBoolean() ? "rack" : "block");
                default -> job.group("g" + g, count, each);
            }
        }
        switch (random.nextInt(5)) {
            case 0 -> job.require("rack");
            case 1 -> job.require("node");
            case 2 -> job.require(random.nextInt(4) == 0 ? "block" : "rack");
            default -> {}
        }
        switch (random.nextInt(4)) {
            case 0 -> job.types("A100");
            case 1 -> job.types("H100", "A100");
            default -> {}
        }
        return random.nextBoolean() ? job.pools("q", "p") : job;
    }

    @Test
    void ofThePoolThatCouldHoldAJob() {
        int held = 0;
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            var cluster = fleet(random);
            for (int id = 1; id <= 10; id++) {
                cluster.jobs(wish(id, random));
            }
            var snapshot = cluster.snapshot();
            var problem = Problem.of(snapshot);
            var holdable = new Holdable(snapshot);
            for (var waiting : snapshot.waiting()) {
                var claimant = problem.claimant(waiting.id());
                var pool =
                        claimant == null ? null : claimant.options().getFirst().poolId();
                assertThat(holdable.pool(waiting.facts()))
                        .as("seed " + seed + ", " + waiting.facts())
                        .isEqualTo(pool);
                held += pool == null ? 0 : 1;
            }
        }
        assertThat(held).isBetween(300, 1_700);
    }

    @Test
    void ofWhoseTurnItIs() {
        for (var order : TeamOrder.values()) {
            var answers = new HashSet<Boolean>();
            for (int seed = 0; seed < 400; seed++) {
                answers.add(turn(order, new Random(seed), order + ", seed " + seed));
            }
            assertThat(answers).as(order.name()).hasSize(order == TeamOrder.FIFO ? 1 : 2);
        }
    }

    private static boolean turn(TeamOrder order, Random random, String about) {
        var started = Duration.ofSeconds(1 + random.nextInt(20_000));
        var victim = job(11).gpus(1 + random.nextInt(8))
                .on("n1")
                .started(started)
                .restartTakes(Duration.ofSeconds(random.nextInt(3) * 70L))
                .had(
                        Duration.ofSeconds(random.nextLong(started.toSeconds())),
                        Duration.ofSeconds(random.nextInt(9_000)));
        switch (random.nextInt(4)) {
            case 0 -> victim.checkpointed(Duration.ofSeconds(random.nextInt(600)));
            case 1 -> victim.every(Duration.ofSeconds(1 + random.nextInt(600)));
            case 2 -> victim.starting();
            default -> {}
        }
        var age = 1 + random.nextInt(40_000);
        var claimant = job(1).gpus(1 + random.nextInt(8))
                .submitted(Duration.ofSeconds(age))
                .had(Duration.ofSeconds(random.nextInt(age)), Duration.ofSeconds(random.nextInt(9_000)));
        var snapshot = cluster()
                .rack("r1", Node.nodes("n", 1))
                .team("a", guaranteed(8))
                .order("a", order)
                .jobs(victim, claimant)
                .snapshot();
        var problem = Problem.of(snapshot);
        var inner = new InnerOrder(problem);
        var its = problem.claimant(new JobId(1));
        var runs = problem.occupant(new JobId(11));
        long lost = runs.secondsAtRisk(problem.asOf()) * runs.gpus();
        boolean may = inner.mayTake(its, inner.rank(its), runs, inner.rank(runs), lost);
        assertThat(new TurnRules(snapshot)
                        .mayTake(
                                snapshot.running().getFirst(),
                                snapshot.waiting().getFirst(),
                                order))
                .as(about)
                .isEqualTo(may);
        return may;
    }
}
