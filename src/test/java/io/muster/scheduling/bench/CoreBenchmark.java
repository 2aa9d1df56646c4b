package io.muster.scheduling.bench;

import io.muster.model.AttemptId;
import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.GroupShape;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.model.TeamPath;
import io.muster.model.TopologyRequest;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.ModeView;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.scheduling.snapshot.QuotaView;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.TeamView;
import io.muster.scheduling.snapshot.WaitingJob;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Times whole cycles, not part of the tests: {@code CoreBenchmark [nodes] [waiting] [teams]}. Worlds are made from a
 * fixed seed; every cycle plans the same snapshot again, so that warm figures compare.
 */
public final class CoreBenchmark {
    private static final Instant NOW = Instant.parse("2026-03-02T12:00:00Z");
    private static final PoolId POOL = new PoolId("gpu");
    private static final int[] SIZES = {1, 1, 1, 1, 2, 2, 4, 8, 8, 16, 32, 64};

    private final int nodes;
    private final int waiting;
    private final int teams;
    private final Random random = new Random(42);

    private CoreBenchmark(int nodes, int waiting, int teams) {
        this.nodes = nodes;
        this.waiting = waiting;
        this.teams = teams;
    }

    /** Runs all workloads and prints one line for each. */
    public static void main(String[] args) {
        int nodes = args.length > 0 ? Integer.parseInt(args[0]) : 1_000;
        int waiting = args.length > 1 ? Integer.parseInt(args[1]) : 10_000;
        int teams = args.length > 2 ? Integer.parseInt(args[2]) : 200;
        int cycles = args.length > 3 ? Integer.parseInt(args[3]) : 40;
        var bench = new CoreBenchmark(nodes, waiting, teams);
        System.out.printf("%d nodes x 8, %d waiting, %d teams in 3 levels%n", nodes, waiting, teams);
        bench.time("empty fleet, fill it", bench.snapshot(List.of(), n -> 1.0), cycles);
        var filled = bench.filled();
        bench.time("full fleet, nothing can start", bench.snapshot(filled, n -> 1.0), cycles);
        bench.time(
                "full fleet, one team in ten is owed GPUs",
                bench.snapshot(filled, t -> t % 10 == 0 ? 20.0 : 0.5),
                cycles);
        var half = filled.subList(0, filled.size() / 2);
        bench.time("half full", bench.snapshot(half, n -> 1.0), cycles);
    }

    /** Processor time of this thread, so that a busy machine does not distort the figures. */
    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private void time(String name, ClusterSnapshot snapshot, int cycles) {
        long[] micros = new long[cycles];
        SchedulingPlan plan = new SchedulingPlan(List.of(), List.of(), List.of());
        for (int i = 0; i < cycles; i++) {
            long from = cpu();
            plan = new Scheduler().plan(snapshot);
            micros[i] = (cpu() - from) / 1_000;
        }
        long first = micros[0];
        long[] warm = Arrays.copyOfRange(micros, cycles / 2, cycles);
        Arrays.sort(warm);
        long starts = plan.decisions().stream()
                .filter(Decision.Start.class::isInstance)
                .count();
        long victims = plan.decisions().stream()
                .filter(Decision.RequestCheckpoint.class::isInstance)
                .count();
        System.out.printf(
                "%-42s first %6.1f ms, warm median %6.1f ms, worst %6.1f ms; %d starts, %d victims, %d explained%n",
                name,
                first / 1e3,
                warm[warm.length / 2] / 1e3,
                warm[warm.length - 1] / 1e3,
                starts,
                victims,
                plan.explanations().size());
    }

    private ClusterSnapshot snapshot(List<RunningJob> running, IntFunction<Double> share) {
        return new ClusterSnapshot(
                NOW,
                PolicySettings.SHIPPED,
                ModeView.RUNNING,
                List.of(new PoolView(POOL, List.of("block", "rack", "node"))),
                fleet(),
                tree(share),
                queue(),
                running,
                List.of());
    }

    private List<NodeView> fleet() {
        var views = new ArrayList<NodeView>();
        for (int n = 0; n < nodes; n++) {
            var name = "n" + n;
            views.add(new NodeView(
                    new NodeId(name),
                    POOL,
                    new GpuTypeId("H100"),
                    81_920,
                    new Resources(8, 128_000, 1L << 40),
                    Resources.NONE,
                    new DomainPath(List.of("b" + n / 100, "r" + n / 20, name)),
                    true));
        }
        return views;
    }

    /** Ten divisions of some groups each, teams below: guarantees sum up to the fleet. */
    private List<TeamView> tree(IntFunction<Double> share) {
        var views = new ArrayList<TeamView>();
        int each = Math.max(1, nodes * 8 / teams);
        for (int d = 0; d < 10; d++) {
            views.add(team("d" + d, null, Map.of()));
            for (int g = 0; g < 2; g++) {
                views.add(team("d" + d + "/g" + g, "d" + d, Map.of()));
            }
        }
        for (int t = 0; t < teams; t++) {
            var parent = "d" + t % 10 + "/g" + t / 10 % 2;
            int guaranteed = (int) (each * share.apply(t));
            views.add(team(parent + "/t" + t, parent, Map.of(POOL, new QuotaView(guaranteed, null, null, 1, 0))));
        }
        return views;
    }

    private TeamView team(String path, String parent, Map<PoolId, QuotaView> quotas) {
        return new TeamView(Ids.team(path), parent == null ? null : Ids.team(parent), new TeamPath(path), quotas, null);
    }

    private String path(int team) {
        return "d" + team % 10 + "/g" + team / 10 % 2 + "/t" + team;
    }

    private List<WaitingJob> queue() {
        random.setSeed(7);
        var queue = new ArrayList<WaitingJob>();
        for (int i = 0; i < waiting; i++) {
            var facts = facts(1_000_000 + i, random.nextInt(teams), SIZES[random.nextInt(SIZES.length)]);
            queue.add(new WaitingJob(facts, facts.submittedAt(), null, Set.of(), Set.of()));
        }
        return queue;
    }

    private JobFacts facts(long id, int team, int gpus) {
        int replicas = Math.max(1, gpus / 8);
        int each = Math.min(8, gpus);
        var topology = gpus >= 32 && random.nextBoolean()
                ? new TopologyRequest("block", "rack", Duration.ofMinutes(10))
                : TopologyRequest.NONE;
        return new JobFacts(
                new JobId(id),
                Ids.team(path(team)),
                Ids.user("u" + team + "-" + random.nextInt(5)),
                random.nextInt(10) == 0 ? 100 : 0,
                "normal",
                false,
                null,
                NOW.minusSeconds(60 + random.nextInt(36_000)),
                List.of(POOL),
                List.of(),
                0,
                List.of(new GroupShape("main", replicas, new Resources(each, each * 8_000L, each * (64L << 30)))),
                topology,
                random.nextInt(10) > 0,
                random.nextInt(3) == 0 ? Duration.ofHours(1 + random.nextInt(24)) : null,
                Duration.ofMinutes(2),
                null);
    }

    /** What the core itself starts on the empty fleet, running for an hour. */
    private List<RunningJob> filled() {
        var snapshot = snapshot(List.of(), n -> 1.0);
        var running = new ArrayList<RunningJob>();
        for (var decision : new Scheduler().plan(snapshot).decisions()) {
            if (decision instanceof Decision.Start start) {
                var job = snapshot.waiting().stream()
                        .filter(w -> w.id().equals(start.job()))
                        .findFirst()
                        .orElseThrow();
                var f = job.facts();
                var facts = new JobFacts(
                        new JobId(f.id().value() - 900_000),
                        f.team(),
                        f.user(),
                        f.priority(),
                        f.priorityClass(),
                        false,
                        null,
                        f.submittedAt(),
                        f.pools(),
                        f.gpuTypes(),
                        0,
                        f.groups(),
                        f.topology(),
                        f.preemptible(),
                        f.walltime(),
                        f.grace(),
                        null);
                running.add(new RunningJob(
                        facts,
                        new AttemptId(facts.id(), 1),
                        JobState.RUNNING,
                        POOL,
                        start.placements(),
                        NOW.minusSeconds(3_000),
                        NOW.minusSeconds(3_000),
                        NOW.minusSeconds(random.nextInt(3_000)),
                        Duration.ofSeconds(60),
                        null,
                        false,
                        null,
                        false,
                        0,
                        null));
            }
        }
        return running;
    }
}
