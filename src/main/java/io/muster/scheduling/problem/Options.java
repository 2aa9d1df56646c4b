package io.muster.scheduling.problem;

import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.PoolId;
import io.muster.model.Reason;
import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.topology.Fleet;
import io.muster.scheduling.topology.Partition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a job could ever lie: partitions of its pools and types, in its order, empty and healthy. */
public final class Options {
    private Options() {}

    /** Partitions that the job accepts, by type in its order, then by pool in its order. */
    static List<Partition> accepted(Fleet fleet, JobFacts facts) {
        var accepted = new ArrayList<Partition>();
        List<@Nullable GpuTypeId> types = new ArrayList<>(facts.gpuTypes());
        if (types.isEmpty()) {
            types.add(null);
        }
        for (var type : types) {
            for (var pool : facts.pools()) {
                for (var partition : fleet.partitions()) {
                    if (partition.poolId().equals(pool)
                            && (type == null || partition.type().equals(type))
                            && partition.gpuMemoryMib() >= facts.minGpuMemoryMib()) {
                        accepted.add(partition);
                    }
                }
            }
        }
        return accepted;
    }

    /** The accepted partitions whose whole, empty and healthy, could hold the gang, or its fewest replicas. */
    static List<Partition> everFitting(Fleet fleet, JobFacts facts) {
        var gang = smallest(facts);
        return accepted(fleet, facts).stream()
                .filter(p -> new Largest(fleet, p, facts).holds(gang))
                .toList();
    }

    private static Gang smallest(JobFacts facts) {
        return new Gang(Sizes.shaped(facts.groups(), Sizes.of(facts.groups(), 0)));
    }

    /** Why no partition could ever hold the job, with the largest gang of its kind that one could; null when one can. */
    public static Reason.@Nullable NeverFits never(Fleet fleet, JobFacts facts) {
        var gang = smallest(facts);
        Reason.NeverFits best = null;
        for (var partition : accepted(fleet, facts)) {
            var largest = new Largest(fleet, partition, facts);
            if (largest.holds(gang)) {
                return null;
            }
            var reason = largest.reason(gang);
            if (best == null || reason.largestGpus() > best.largestGpus()) {
                best = reason;
            }
        }
        return best != null ? best : nowhere(facts, gang);
    }

    private static Reason.NeverFits nowhere(JobFacts facts, Gang gang) {
        PoolId pool = facts.pools().size() == 1 ? facts.pools().getFirst() : null;
        return new Reason.NeverFits(
                pool,
                gang.gpus(),
                facts.topology().require(),
                0,
                DomainPath.POOL,
                gang.kinds().getFirst().slices());
    }
}
