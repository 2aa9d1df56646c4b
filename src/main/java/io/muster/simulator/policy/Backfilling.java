package io.muster.simulator.policy;

import static io.muster.simulator.engine.SimulatedJob.NEVER;

import io.muster.scheduling.placement.Room;
import io.muster.scheduling.plan.Decision;
import io.muster.simulator.engine.SimulatedJob;
import io.muster.simulator.engine.World;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

/**
 * EASY backfill (Lifka 1995): the first blocked job gets its place reserved for when those that run have ended; others
 * pass it when they end before or use other GPUs. Ends are true, from an oracle.
 */
final class Backfilling {
    private final World world;
    private final Room room;
    private final BitSet failed;

    Backfilling(World world, BitSet failed) {
        this.world = world;
        this.failed = failed;
        room = world.room();
    }

    /** Leaves the room as it comes out: it is on trial. */
    List<Decision> behind(SimulatedJob blocked, Iterator<Ranked> others) {
        var ending = new ArrayList<>(world.active());
        ending.sort(Comparator.comparingLong(this::end).thenComparing(SimulatedJob::id));
        for (var job : ending) {
            job.spots().forEach(s -> room.leave(s.node(), s.amount()));
            var kept = Turn.place(world, blocked, room.future());
            if (kept != null) {
                // The future is now what is free at that time, the blocked job's place taken out.
                kept.spots().forEach(s -> room.spare(s.node(), s.amount()));
                return starts(end(job), others);
            }
        }
        return List.of();
    }

    private long end(SimulatedJob job) {
        long working = job.runningSince() == NEVER
                ? Math.max(world.now(), job.placed() + world.costs().restart().toMillis())
                : world.now();
        return working + job.remaining(world.now());
    }

    private List<Decision> starts(long shadow, Iterator<Ranked> others) {
        var decisions = new ArrayList<Decision>();
        var failedBefore = new BitSet();
        while (others.hasNext()) {
            var job = others.next().job();
            boolean endsBefore = world.now() + world.costs().start().toMillis() + job.remaining(world.now()) <= shadow;
            var without = endsBefore ? failedBefore : failed;
            if (without.get(job.shape())) continue;
            var layout = Turn.place(world, job, endsBefore ? room.present() : room.now());
            if (layout == null) {
                without.set(job.shape());
                continue;
            }
            for (var s : layout.spots()) {
                room.occupy(s.node(), s.amount());
                if (endsBefore) room.leave(s.node(), s.amount());
            }
            decisions.add(Turn.decision(world, job, layout));
        }
        return decisions;
    }
}
