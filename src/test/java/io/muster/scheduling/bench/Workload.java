package io.muster.scheduling.bench;

import io.muster.model.AttemptId;
import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.GroupShape;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import io.muster.model.TeamPath;
import io.muster.model.TopologyRequest;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.plan.Decision;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntToDoubleFunction;

/**
 * Worlds to measure with, made from a fixed seed: nodes of 8 GPUs in racks of 20 and blocks of 100, teams in three levels
 * with five users each, gangs of 1 to 512 GPUs.
 */
public final class Workload {
    public static final Instant NOW = Instant.parse("2026-03-02T12:00:00Z");
    static final PoolId POOL = new PoolId("gpu");
    private static final int[] SIZES = {1, 1, 1, 1, 1, 2, 2, 4, 8, 8, 16, 32, 64};

    final int nodes;
    final int teams;
    private final Random random = new Random(42);

    public Workload(int nodes, int teams) {
        this.nodes = nodes;
        this.teams = teams;
    }

    /** {@code share}: what a team is guaranteed, in parts of its equal part of the fleet. */
    public ClusterSnapshot snapshot(List<WaitingJob> waiting, List<RunningJob> running, IntToDoubleFunction share) {
        return new ClusterSnapshot(
                NOW,
                PolicySettings.SHIPPED,
                ModeView.RUNNING,
                List.of(new PoolView(POOL, List.of("block", "rack", "node"))),
                fleet(),
                tree(share),
                waiting,
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

    /** Ten divisions of two groups each, teams below. */
    private List<TeamView> tree(IntToDoubleFunction share) {
        var views = new ArrayList<TeamView>();
        int each = Math.max(1, nodes * 8 / teams);
        for (int d = 0; d < 10; d++) {
            views.add(team("d" + d, null, Map.of()));
            for (int g = 0; g < 2; g++) {
                views.add(team("d" + d + "/g" + g, "d" + d, Map.of()));
            }
        }
        for (int t = 0; t < teams; t++) {
            int guaranteed = (int) (each * share.applyAsDouble(t));
            var quotas = Map.of(POOL, new QuotaView(guaranteed, null, null, 1, 0));
            views.add(team(path(t), path(t).substring(0, path(t).lastIndexOf('/')), quotas));
        }
        return views;
    }

    private static TeamView team(String path, String parent, Map<PoolId, QuotaView> quotas) {
        return new TeamView(Ids.team(path), parent == null ? null : Ids.team(parent), new TeamPath(path), quotas, null);
    }

    private static String path(int team) {
        return "d" + team % 10 + "/g" + team / 10 % 2 + "/t" + team;
    }

    /** So many waiting jobs of all sizes; one in four hundred is of 128 to 512 GPUs. */
    public List<WaitingJob> queue(int count) {
        random.setSeed(7);
        var queue = new ArrayList<WaitingJob>();
        for (int i = 0; i < count; i++) {
            queue.add(waiting(1_000_000 + i));
        }
        return queue;
    }

    WaitingJob waiting(long id) {
        int size = random.nextInt(400) == 0 ? 128 << random.nextInt(3) : SIZES[random.nextInt(SIZES.length)];
        var facts = facts(id, random.nextInt(teams), size);
        return new WaitingJob(facts, facts.submittedAt(), null, Set.of(), Set.of());
    }

    /** A job as in {@link #queue}, submitted at that time. */
    public WaitingJob arriving(long id, Instant at) {
        var job = waiting(id);
        return new WaitingJob(job.facts().again(new JobId(id), at), at, null, Set.of(), Set.of());
    }

    private JobFacts facts(long id, int team, int gpus) {
        var topology = gpus >= 32 && gpus <= 128 && random.nextBoolean()
                ? new TopologyRequest("block", "rack", Duration.ofMinutes(10))
                : TopologyRequest.NONE;
        return facts(
                id,
                team,
                gpus,
                topology,
                random.nextInt(10) == 0 ? 100 : 0,
                random.nextInt(10) > 0,
                random.nextInt(3) == 0 ? Duration.ofHours(1 + random.nextInt(24)) : null);
    }

    JobFacts facts(
            long id,
            int team,
            int gpus,
            TopologyRequest topology,
            int priority,
            boolean preemptible,
            Duration walltime) {
        int each = Math.min(8, gpus);
        return new JobFacts(
                new JobId(id),
                Ids.team(path(team)),
                Ids.user("u" + team + "-" + random.nextInt(5)),
                priority,
                "normal",
                false,
                null,
                NOW.minusSeconds(60 + random.nextInt(36_000)),
                List.of(POOL),
                List.of(),
                0,
                List.of(new GroupShape(
                        "main", Math.max(1, gpus / 8), new Resources(each, each * 8_000L, each * (64L << 30)))),
                topology,
                preemptible,
                walltime,
                Duration.ofMinutes(2),
                null);
    }

    /** The jobs that {@code decisions} start, at work for fifty minutes, under other ids. */
    public List<RunningJob> running(ClusterSnapshot before, List<Decision> decisions) {
        var waiting = new HashMap<JobId, WaitingJob>();
        before.waiting().forEach(w -> waiting.put(w.id(), w));
        var running = new ArrayList<RunningJob>();
        for (var decision : decisions) {
            if (decision instanceof Decision.Start start) {
                var facts = waiting.get(start.job()).facts();
                running.add(running(
                        facts.again(new JobId(facts.id().value() - 900_000), facts.submittedAt()), start.placements()));
            }
        }
        return running;
    }

    RunningJob running(JobFacts facts, List<ReplicaPlacement> placements) {
        return at(facts, placements, NOW.minusSeconds(3_000), NOW.minusSeconds(random.nextInt(3_000)));
    }

    /** Running {@code since}, saved last at {@code saved}. */
    static RunningJob at(JobFacts facts, List<ReplicaPlacement> placements, Instant since, Instant saved) {
        return new RunningJob(
                facts,
                new AttemptId(facts.id(), 1),
                JobState.RUNNING,
                POOL,
                placements,
                since,
                since,
                saved,
                Duration.ofSeconds(60),
                null,
                false,
                null,
                false,
                0,
                null);
    }

    /** One GPU of each of {@code gpus} jobs of one team, node by node. */
    public List<RunningJob> singles(int team, int gpus) {
        var running = new ArrayList<RunningJob>();
        for (int i = 0; i < gpus; i++) {
            var facts = facts(1 + i, team, 1, TopologyRequest.NONE, 0, true, null);
            var node = new NodeId("n" + i / 8);
            running.add(running(
                    facts,
                    List.of(new ReplicaPlacement(
                            "main", 0, node, facts.groups().getFirst().each()))));
        }
        return running;
    }

    /** {@code count} equal waiting jobs of a team. */
    public List<WaitingJob> equal(int team, int count, int gpus, TopologyRequest topology) {
        var queue = new ArrayList<WaitingJob>();
        for (int i = 0; i < count; i++) {
            var facts = facts(5_000_000 + i, team, gpus, topology, 0, true, null);
            queue.add(new WaitingJob(facts, facts.submittedAt(), null, Set.of(), Set.of()));
        }
        return queue;
    }
}
