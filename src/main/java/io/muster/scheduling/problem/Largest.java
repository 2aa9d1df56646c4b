package io.muster.scheduling.problem;

import io.muster.model.DomainPath;
import io.muster.model.Reason;
import io.muster.model.Resources;
import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.topology.Fleet;
import io.muster.scheduling.topology.Partition;
import org.jspecify.annotations.Nullable;

/** What the domains of one partition could hold when all their nodes are empty and healthy. */
final class Largest {
    private final Fleet fleet;
    private final Partition partition;
    private final @Nullable String level;
    private final int levelNumber;

    Largest(Fleet fleet, Partition partition, JobFacts facts) {
        this.fleet = fleet;
        this.partition = partition;
        level = facts.topology().require();
        levelNumber = level == null ? Partition.WHOLE : partition.level(level);
    }

    private boolean hasLevel() {
        return level == null || levelNumber != Partition.WHOLE;
    }

    boolean holds(Gang gang) {
        for (int d = 0; hasLevel() && d < partition.domainCount(levelNumber); d++) {
            if (holds(gang, d)) {
                return true;
            }
        }
        return false;
    }

    /** Kinds are seated one after the other, the hardest first, each on the first nodes with room. */
    private boolean holds(Gang gang, int domain) {
        int from = partition.domainFrom(levelNumber, domain);
        int to = partition.domainTo(levelNumber, domain);
        if (gang.kinds().size() == 1) {
            var kind = gang.kinds().getFirst();
            long count = 0;
            for (int n = from; n < to && count < kind.replicas(); n++) {
                count += count(fleet.node(n).allocatable(), kind.each(), kind.replicas());
            }
            return count >= kind.replicas();
        }
        var left = new Resources[to - from];
        for (int n = from; n < to; n++) {
            left[n - from] = fleet.node(n).allocatable();
        }
        for (var kind : gang.kinds()) {
            int need = kind.replicas();
            for (int i = 0; i < left.length && need > 0; i++) {
                int here = count(left[i], kind.each(), need);
                left[i] = left[i].minus(kind.each().times(here));
                need -= here;
            }
            if (need > 0) {
                return false;
            }
        }
        return true;
    }

    private static int count(Resources room, Resources each, int most) {
        long n = most;
        n = each.gpus() > 0 ? Math.min(n, Math.max(0, room.gpus() / each.gpus())) : n;
        n = each.cpuMillis() > 0 ? Math.min(n, Math.max(0, room.cpuMillis() / each.cpuMillis())) : n;
        n = each.memoryBytes() > 0 ? Math.min(n, Math.max(0, room.memoryBytes() / each.memoryBytes())) : n;
        return (int) n;
    }

    /** The domain that holds the most replicas of the hardest kind. */
    Reason.NeverFits reason(Gang gang) {
        var kind = gang.kinds().getFirst();
        long best = 0;
        var path = DomainPath.POOL;
        for (int d = 0; hasLevel() && d < partition.domainCount(levelNumber); d++) {
            long count = 0;
            for (int n = partition.domainFrom(levelNumber, d); n < partition.domainTo(levelNumber, d); n++) {
                count += count(fleet.node(n).allocatable(), kind.each(), Integer.MAX_VALUE);
            }
            if (count > best) {
                best = count;
                path = partition.domainPath(levelNumber, d);
            }
        }
        int gpus = (int) Math.min(Integer.MAX_VALUE, best * kind.each().gpus());
        for (int n = partition.from(); best == 0 && n < partition.to(); n++) {
            // Not even one replica fits: the largest node says how large one may be.
            if (fleet.node(n).allocatable().gpus() > gpus) {
                gpus = fleet.node(n).allocatable().gpus();
                path = partition.domainPath(partition.nodeLevel(), n - partition.from());
            }
        }
        return new Reason.NeverFits(partition.poolId(), gang.gpus(), level, gpus, path);
    }
}
