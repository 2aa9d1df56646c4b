package io.muster.simulator.engine;

import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.simulator.trace.RecordedJob;
import io.muster.simulator.trace.RecordedJob.Owner;
import io.muster.simulator.trace.RecordedJob.Wants;
import io.muster.simulator.trace.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Builds small workloads and sites. */
public final class Workloads {
    private final List<RecordedJob> jobs = new ArrayList<>();

    public static Workloads workload() {
        return new Workloads();
    }

    /** A job of team {@code team}, submitted at second {@code at}, that works for {@code run} seconds. */
    public Workloads job(String team, int at, int run, int gpus) {
        int line = jobs.size() + 1;
        jobs.add(new RecordedJob(
                line,
                "job " + line,
                Instant.ofEpochSecond(at),
                Duration.ofSeconds(run),
                gpus,
                Wants.GPUS_ONLY,
                new Owner(team, team, "kind-" + gpus),
                (Duration) null));
        return this;
    }

    public Workloads job(int at, int run, int gpus) {
        return job("all", at, run, gpus);
    }

    /** Jobs by a small generator of its own: equal seeds, equal jobs. */
    public static Workloads random(long seed, int count) {
        var made = new Workloads();
        long state = seed * 6364136223846793005L + 1442695040888963407L;
        int at = 0;
        for (int i = 0; i < count; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            int dice = (int) (state >>> 33);
            at += dice % 97;
            int[] sizes = {1, 1, 1, 2, 4, 8, 12, 16};
            int run = 1 + (int) Math.pow(10, 1 + (dice >>> 8) % 300 / 100.0);
            made.job("team-" + (dice >>> 4) % 3, at, run, sizes[(dice >>> 20) % sizes.length]);
        }
        return made;
    }

    public Workload read() {
        return new Workload("csv", jobs, List.of());
    }

    /** Nodes of 8 GPUs in one rack. */
    public static Site site(int nodes, Workload workload) {
        var pool = new PoolId("p");
        var views = new ArrayList<NodeView>();
        for (int n = 0; n < nodes; n++) {
            var id = new NodeId(String.format("n%03d", n));
            views.add(new NodeView(
                    id,
                    pool,
                    new GpuTypeId("x"),
                    81_920,
                    new Resources(8, 128_000, 1L << 40),
                    Resources.NONE,
                    new DomainPath(List.of("b", "r", id.value())),
                    true));
        }
        var pools = List.of(new PoolView(pool, List.of("block", "rack", "node")));
        return new Site(pools, views, TeamNames.of(workload));
    }

    public Run run(int nodes, Planner planner, Costs costs) {
        var workload = read();
        return new Simulation(new Cast(site(nodes, workload), workload, false), planner, costs).run((ended, of) -> {});
    }
}
