package io.muster.simulator.policy;

import io.muster.model.AttemptId;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.placement.Room;
import io.muster.scheduling.plan.Decision;
import io.muster.simulator.engine.SimulatedJob;
import io.muster.simulator.engine.World;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One plan of an ordered policy, made on a trial of the room. */
final class Turn {
    private final Ranking ranking;
    private final World world;
    private final Room room;
    private final BitSet failed;
    private final List<Decision> decisions = new ArrayList<>();
    /** Running jobs that were moved or must leave: the room no longer has them where the world says. */
    private final Set<SimulatedJob> displaced = new HashSet<>();

    private @Nullable Victims victims;
    private @Nullable Moves moves;

    Turn(Ranking ranking, World world, BitSet failed) {
        this.ranking = ranking;
        this.world = world;
        this.failed = failed;
        room = world.room();
    }

    List<Decision> take(Iterator<Ranked> turns) {
        while (turns.hasNext() && failed.cardinality() < world.waitingShapes()) {
            var next = turns.next();
            if (failed.get(next.job().shape()) || starts(next)) continue;
            failed.set(next.job().shape());
            if (ranking.blocking() == Ranking.Blocking.STOP) break;
            if (ranking.blocking() == Ranking.Blocking.RESERVE) {
                decisions.addAll(new Backfilling(world, failed).behind(next.job(), turns));
                break;
            }
        }
        return decisions;
    }

    private boolean starts(Ranked next) {
        var now = place(world, next.job(), room.strict());
        if (now != null) {
            start(next.job(), now);
            return true;
        }
        // Whoever leaves already may be enough: then it waits for them, and nobody behind it takes their place.
        var soon = world.costs().leavesAtOnce() ? null : place(world, next.job(), room.future());
        if (soon != null) {
            soon.spots().forEach(s -> room.spare(s.node(), s.amount()));
            return true;
        }
        return ranking.preempts() && (startsByMoving(next.job()) || startsByForce(next));
    }

    private boolean startsByMoving(SimulatedJob job) {
        if (!world.costs().leavesAtOnce() || free() < job.gpus()) return false;
        if (moves == null) moves = new Moves(ranking, world, displaced);
        var made = moves.startWith(job);
        if (made == null) return false;
        decisions.addAll(made);
        return true;
    }

    private int free() {
        int free = 0;
        for (int n = 0; n < world.fleet().size(); n++)
            free += Math.max(0, room.strict().gpus(n));
        return free;
    }

    private boolean startsByForce(Ranked next) {
        if (victims == null) victims = new Victims(ranking, world, displaced);
        var found = victims.find(next);
        if (found == null) return false;
        displaced.addAll(found.victims());
        for (var victim : found.victims()) {
            decisions.add(new Decision.RequestCheckpoint(
                    victim.id(),
                    new AttemptId(victim.id(), victim.attempts()),
                    next.job().id(),
                    Decision.Cause.PREEMPTION,
                    victim.gpus(),
                    0));
        }
        if (world.costs().leavesAtOnce()) {
            start(next.job(), found.layout());
        } else {
            found.layout().spots().forEach(s -> room.spare(s.node(), s.amount()));
        }
        return true;
    }

    private void start(SimulatedJob job, Layout layout) {
        layout.spots().forEach(s -> room.occupy(s.node(), s.amount()));
        decisions.add(decision(world, job, layout));
    }

    static Decision.Start decision(World world, SimulatedJob job, Layout layout) {
        var partition = layout.partition();
        return new Decision.Start(
                job.id(),
                partition.poolId(),
                partition.type(),
                job.gang().number(layout, world.fleet()),
                layout.level() < 0
                        ? null
                        : partition.levels().get(layout.level()).level(),
                partition.domainPath(layout.level(), layout.domain()),
                false,
                null);
    }

    /** The core's place for the job in the first of its partitions that has one, or null. */
    static @Nullable Layout place(World world, SimulatedJob job, Plane plane) {
        for (var partition : job.options()) {
            var layout = world.placer().place(job.gang(), partition, LevelWish.ANYWHERE, plane, null);
            if (layout != null) return layout;
        }
        return null;
    }
}
