package io.muster.simulator.policy;

import io.muster.model.Resources;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.placement.Room;
import io.muster.simulator.engine.SimulatedJob;
import io.muster.simulator.engine.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who must leave so that a job can start: the last in order first, and nobody whom the place does not need. */
final class Victims {
    private final Ranking ranking;
    private final World world;
    private final Room room;
    private final boolean atOnce;
    private final Plane plane;
    private final List<Ranked> running;
    private final Set<SimulatedJob> displaced;
    private long free;

    /** A place, and who leaves it. */
    record Found(Layout layout, List<SimulatedJob> victims) {}

    Victims(Ranking ranking, World world, Set<SimulatedJob> displaced) {
        this.ranking = ranking;
        this.world = world;
        this.displaced = displaced;
        room = world.room();
        atOnce = world.costs().leavesAtOnce();
        plane = atOnce ? room.strict() : room.future();
        var staying = world.active().stream().filter(j -> !j.isLeaving()).toList();
        running = new ArrayList<>(Ranked.sorted(staying, ranking, world).reversed());
    }

    /** Takes them out of the room; leaves the room as it was when there are none. */
    @Nullable Found find(Ranked next) {
        free = 0;
        for (int n = 0; n < world.fleet().size(); n++) free += Math.max(0, plane.gpus(n));
        var taken = new ArrayList<Ranked>();
        var layout = clear(next, taken);
        if (layout == null) {
            taken.forEach(v -> put(v.job(), 1));
            return null;
        }
        var needed = spare(layout, taken);
        return new Found(layout, needed.stream().map(Ranked::job).toList());
    }

    private @Nullable Layout clear(Ranked next, List<Ranked> taken) {
        for (var victim : running) {
            if (Ranked.FIRST.compare(victim, next) <= 0) break;
            if (displaced.contains(victim.job()) || !ranking.mayTake(next.job(), victim.job(), world)) continue;
            put(victim.job(), -1);
            taken.add(victim);
            free += victim.job().gpus();
            if (free >= next.job().gpus() && couldHold(next.job(), victim.job())) {
                var layout = Turn.place(world, next.job(), plane);
                if (layout != null) return layout;
            }
        }
        return null;
    }

    /** For a job of one replica, only the nodes that just came free can have become large enough. */
    private boolean couldHold(SimulatedJob job, SimulatedJob victim) {
        if (job.gang().replicas() > 1) return true;
        var each = job.gang().kinds().getFirst().each();
        return victim.spots().stream().anyMatch(s -> plane.fits(s.node(), each));
    }

    /** Those whom the place needs, in the order in which they were taken; the others go back, the best first. */
    private List<Ranked> spare(Layout layout, List<Ranked> taken) {
        layout.spots().forEach(s -> put(s.node(), s.amount(), 1));
        var needed = new ArrayList<Ranked>();
        for (var victim : taken.reversed()) {
            if (victim.job().spots().stream().allMatch(s -> plane.fits(s.node(), s.amount()))) {
                put(victim.job(), 1);
            } else {
                needed.add(victim);
            }
        }
        layout.spots().forEach(s -> put(s.node(), s.amount(), -1));
        return needed.reversed();
    }

    private void put(SimulatedJob job, int sign) {
        job.spots().forEach(s -> put(s.node(), s.amount(), sign));
    }

    /** Back into the room (1), or out of it (-1). */
    private void put(int node, Resources amount, int sign) {
        if (atOnce) {
            room.occupy(node, amount.times(sign));
        } else if (sign > 0) {
            room.spare(node, amount);
        } else {
            room.leave(node, amount);
        }
    }
}
