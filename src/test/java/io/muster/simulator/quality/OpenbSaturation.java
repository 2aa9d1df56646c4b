package io.muster.simulator.quality;

import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.scheduling.placement.Room;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.simulator.engine.Cast;
import io.muster.simulator.engine.SimulatedJob;
import io.muster.simulator.engine.Site;
import io.muster.simulator.engine.TeamNames;
import io.muster.simulator.trace.TraceFormat;
import io.muster.simulator.trace.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Pods drawn at random from a list, as many as ask for 1.3 times the fleet; who fits stays for good (as FGD, ATC 2023). */
final class OpenbSaturation {
    private static final double ASKED = 1.3;

    private final Site site;
    private final Cast cast;

    OpenbSaturation(Path nodes, Path pods) throws IOException {
        var workload = TraceFormat.OPENB.read(Files.readAllLines(pods));
        site = site(Files.readAllLines(nodes), workload);
        cast = new Cast(site, workload, false);
    }

    private static Site site(List<String> lines, Workload workload) {
        var pool = new PoolId("openb");
        var views = new ArrayList<NodeView>();
        for (var line : lines.subList(1, lines.size())) {
            var f = line.split(",", -1);
            var id = new NodeId(f[0]);
            views.add(new NodeView(
                    id,
                    pool,
                    new GpuTypeId(f[4]),
                    1,
                    new Resources(Integer.parseInt(f[3]), Long.parseLong(f[1]), Long.parseLong(f[2]) << 20),
                    Resources.NONE,
                    new DomainPath(List.of(id.value())),
                    true));
        }
        return new Site(List.of(new PoolView(pool, List.of("node"))), views, TeamNames.of(workload));
    }

    int gpus() {
        return site.gpus();
    }

    /** GPUs given out by the core's placement. */
    int byCore(long seed) {
        return saturate(seed, (job, world) -> {
            for (var partition : job.options()) {
                var layout = world.placer.place(
                        job.gang(),
                        partition,
                        io.muster.scheduling.placement.LevelWish.ANYWHERE,
                        world.room.strict(),
                        null);
                if (layout != null) return layout.spots().getFirst().node();
            }
            return null;
        });
    }

    /** GPUs given out by best fit: the node with the least left of everything, each in parts of what it has. */
    int byBestFit(long seed) {
        return saturate(seed, (job, world) -> {
            var each = job.gang().kinds().getFirst().each();
            Integer best = null;
            double least = Double.MAX_VALUE;
            for (var partition : job.options()) {
                for (int n = partition.from(); n < partition.to(); n++) {
                    if (!world.room.strict().fits(n, each)) continue;
                    double left = left(
                            world.room.strict().at(n).minus(each), site.fleet().ours(n));
                    if (left < least) {
                        least = left;
                        best = n;
                    }
                }
            }
            return best;
        });
    }

    private static double left(Resources free, Resources whole) {
        return (double) free.gpus() / whole.gpus()
                + (double) free.cpuMillis() / whole.cpuMillis()
                + (double) free.memoryBytes() / whole.memoryBytes();
    }

    private static final class World {
        final Room room;
        final io.muster.scheduling.placement.Placer placer;

        World(Site site) {
            room = new Room(site.fleet());
            placer = new io.muster.scheduling.placement.Placer(room);
        }
    }

    private int saturate(long seed, BiFunction<SimulatedJob, World, @Nullable Integer> choose) {
        var world = new World(site);
        long state = seed;
        int asked = 0;
        int given = 0;
        while (asked < ASKED * site.gpus()) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            var job = cast.jobs()
                    .get((int) Math.floorMod(state >>> 24, (long) cast.jobs().size()));
            asked += job.gpus();
            Integer node = choose.apply(job, world);
            if (node != null) {
                world.room.occupy(node, job.gang().kinds().getFirst().each());
                given += job.gpus();
            }
        }
        return given;
    }
}
