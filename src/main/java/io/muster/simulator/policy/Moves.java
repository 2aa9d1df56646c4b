package io.muster.simulator.policy;

import io.muster.model.AttemptId;
import io.muster.scheduling.placement.Gang.Kind;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.Room;
import io.muster.scheduling.plan.Decision;
import io.muster.simulator.engine.SimulatedJob;
import io.muster.simulator.engine.World;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes room for a job where enough GPUs are free, but on too many nodes: small jobs on the emptiest nodes go elsewhere,
 * through their checkpoints, when each has its new place.
 */
final class Moves {
    private static final int MOST_TRIES = 16;

    private final Ranking ranking;
    private final World world;
    private final Room room;
    private final Set<SimulatedJob> displaced;
    private @Nullable Map<Integer, List<SimulatedJob>> onNode;

    /** A node, and what would have to leave it. */
    private record Site(int node, int jobs, int movedGpus) {
        static final Comparator<Site> CHEAPEST = Comparator.comparingInt(Site::movedGpus)
                .thenComparingInt(Site::jobs)
                .thenComparingInt(Site::node);
    }

    Moves(Ranking ranking, World world, Set<SimulatedJob> displaced) {
        this.ranking = ranking;
        this.world = world;
        this.displaced = displaced;
        room = world.room();
    }

    /** The decisions that make room and start the job, or null; then the room is as it was. */
    @Nullable List<Decision> startWith(SimulatedJob job) {
        if (job.gang().kinds().size() != 1 || !ranking.mayMoveOthers(job, world)) return null;
        var sites = sites(job, job.gang().kinds().getFirst());
        int tries = Math.min(MOST_TRIES, sites.size());
        for (int first = 0; first < tries; first++) {
            var decisions = startWith(job, sites.subList(first, sites.size()));
            if (decisions != null) return decisions;
        }
        return null;
    }

    /** The same with the first of the sites, and as many more as a gang needs. */
    private @Nullable List<Decision> startWith(SimulatedJob job, List<Site> sites) {
        int most = ranking.mostMoved(job);
        int mostJobs = ranking.mostJobsMoved(job, world);
        var moved = new ArrayList<SimulatedJob>();
        int movedGpus = 0;
        Layout layout = null;
        for (var site : sites.subList(0, Math.min(job.gang().replicas(), sites.size()))) {
            movedGpus += site.movedGpus;
            if (layout != null || movedGpus > most || moved.size() + site.jobs > mostJobs) break;
            for (var other : on(site.node)) {
                put(other, -1);
                moved.add(other);
            }
            layout = Turn.place(world, job, room.strict());
        }
        var decisions = layout == null ? null : settle(job, layout, moved);
        if (decisions == null) moved.forEach(other -> put(other, 1));
        return decisions;
    }

    /** Starts the job and finds each moved job its new place, the largest first; null when one has none. */
    private @Nullable List<Decision> settle(SimulatedJob job, Layout layout, List<SimulatedJob> moved) {
        var leaving = new ArrayList<Decision>();
        var starting = new ArrayList<Decision>();
        var taken = new ArrayList<Layout>();
        take(layout, 1);
        taken.add(layout);
        starting.add(Turn.decision(world, job, layout));
        moved.sort(Comparator.comparingInt(SimulatedJob::gpus).reversed().thenComparing(SimulatedJob::id));
        for (var other : moved) {
            var place = Turn.place(world, other, room.strict());
            if (place == null) {
                taken.forEach(l -> take(l, -1));
                return null;
            }
            take(place, 1);
            taken.add(place);
            leaving.add(new Decision.RequestCheckpoint(
                    other.id(),
                    new AttemptId(other.id(), other.attempts()),
                    job.id(),
                    Decision.Cause.PREEMPTION,
                    other.gpus(),
                    0));
            starting.add(Turn.decision(world, other, place));
        }
        displaced.addAll(moved);
        leaving.addAll(starting);
        return leaving;
    }

    /** Nodes that would hold a replica if all on them could go, those with the least to move first. */
    private List<Site> sites(SimulatedJob job, Kind kind) {
        var sites = new ArrayList<Site>();
        for (var partition : job.options()) {
            for (int n = partition.from(); n < partition.to(); n++) {
                var others = on(n);
                int gpus = others.stream().mapToInt(SimulatedJob::gpus).sum();
                boolean enough = room.strict().gpus(n) + gpus >= kind.each().gpus();
                if (world.fleet().takes(n)
                        && enough
                        && !others.isEmpty()
                        && !room.strict().fits(n, kind.each())
                        && others.stream().allMatch(o -> !displaced.contains(o) && ranking.mayMove(o, job, world))) {
                    sites.add(new Site(n, others.size(), gpus));
                }
            }
        }
        sites.sort(Site.CHEAPEST);
        return sites;
    }

    /** Jobs of one node each, by node. */
    private List<SimulatedJob> on(int node) {
        if (onNode == null) {
            onNode = new HashMap<>();
            for (var job : world.active()) {
                if (!job.isLeaving() && job.spots().size() == 1) {
                    onNode.computeIfAbsent(job.spots().getFirst().node(), k -> new ArrayList<>())
                            .add(job);
                }
            }
        }
        return onNode.computeIfAbsent(node, k -> new ArrayList<>());
    }

    private void put(SimulatedJob job, int sign) {
        job.spots().forEach(s -> room.occupy(s.node(), s.amount().times(sign)));
    }

    private void take(Layout layout, int sign) {
        layout.spots().forEach(s -> room.occupy(s.node(), s.amount().times(sign)));
    }
}
