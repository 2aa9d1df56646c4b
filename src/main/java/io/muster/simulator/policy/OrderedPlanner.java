package io.muster.simulator.policy;

import io.muster.scheduling.plan.Decision;
import io.muster.simulator.engine.Planner;
import io.muster.simulator.engine.SimulatedJob;
import io.muster.simulator.engine.World;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/** Plans by a ranking: each waiting job in turn starts where the core finds it a place, by force where it may. */
final class OrderedPlanner implements Planner {
    private final Ranking ranking;
    /** Shapes without a place, which stay without one until GPUs come free. */
    private final BitSet failed = new BitSet();

    OrderedPlanner(Ranking ranking) {
        this.ranking = ranking;
    }

    @Override
    public List<Decision> plan(World world) {
        boolean asBefore = !world.freed() && !ranking.preempts() && ranking.blocking() != Ranking.Blocking.RESERVE;
        if (asBefore
                && ranking.blocking() == Ranking.Blocking.STOP
                && world.arrivals().size() < world.waiting().size()) {
            return List.of(); // whoever was blocked still is
        }
        if (!asBefore) failed.clear();
        Collection<SimulatedJob> asked = asBefore ? world.arrivals() : world.waiting();
        var turns = Ranked.inOrder(asked, ranking, world);
        try (var trial = world.room().trial()) {
            return new Turn(ranking, world, failed).take(turns);
        }
    }

    @Override
    public long nextReview(World world) {
        if (!ranking.preempts()) return SimulatedJob.NEVER;
        long next = SimulatedJob.NEVER;
        for (var job : world.active()) {
            if (!job.isLeaving()) next = Math.min(next, ranking.nextChange(job, world));
        }
        return next;
    }

    @Override
    public void ended(SimulatedJob job, World world) {
        ranking.ended(job, world);
    }
}
