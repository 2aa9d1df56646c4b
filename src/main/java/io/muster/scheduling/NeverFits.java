package io.muster.scheduling;

import io.muster.model.Reason;
import io.muster.scheduling.problem.Options;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.scheduling.topology.Fleet;
import java.util.List;
import java.util.Optional;

/** Tells whether the whole fleet, empty and healthy, could ever hold a gang. */
public final class NeverFits {
    private NeverFits() {}

    /** The largest gang of this kind that could run, when this one never can; empty when it can. */
    public static Optional<Reason.NeverFits> check(List<PoolView> pools, List<NodeView> nodes, JobFacts job) {
        return Optional.ofNullable(Options.never(new Fleet(pools, nodes), job));
    }
}
