package io.muster.simulator.policy;

import io.muster.simulator.engine.SimulatedJob;
import io.muster.simulator.engine.World;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

/** A job with its rank of this moment. */
record Ranked(SimulatedJob job, double rank) {
    static final Comparator<Ranked> FIRST =
            Comparator.comparingDouble(Ranked::rank).thenComparing(r -> r.job().id());

    /** As the ranking has them; who comes later is not looked at before it is asked for, where the order is by age. */
    static Iterator<Ranked> inOrder(Collection<SimulatedJob> jobs, Ranking ranking, World world) {
        if (ranking.isByAge())
            return jobs.stream().map(job -> new Ranked(job, 0)).iterator();
        return sorted(jobs, ranking, world).iterator();
    }

    static List<Ranked> sorted(Collection<SimulatedJob> jobs, Ranking ranking, World world) {
        ranking.begin(world);
        var ranked = new ArrayList<Ranked>(jobs.size());
        for (var job : jobs) ranked.add(new Ranked(job, ranking.rank(job, world)));
        ranked.sort(FIRST);
        return ranked;
    }
}
