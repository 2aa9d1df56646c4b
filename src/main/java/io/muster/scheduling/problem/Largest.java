package io.muster.scheduling.problem;

import io.muster.model.DomainPath;
import io.muster.model.Reason;
import io.muster.model.Resources;
import io.muster.model.Slices;
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
    private final boolean hasLevels;

    Largest(Fleet fleet, Partition partition, JobFacts facts) {
        this.fleet = fleet;
        this.partition = partition;
        level = facts.topology().require();
        levelNumber = level == null ? Partition.WHOLE : partition.level(level);
        hasLevels = (level == null || levelNumber != Partition.WHOLE)
                && facts.groups().stream().allMatch(g -> hasLevel(g.slices()));
    }

    private boolean hasLevel(@Nullable Slices slices) {
        return slices == null || partition.level(slices.level()) != Partition.WHOLE;
    }

    boolean holds(Gang gang) {
        for (int d = 0; hasLevels && d < partition.domainCount(levelNumber); d++) {
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
            return fit(kind, from, to, kind.replicas()) >= kind.replicas();
        }
        var left = new Resources[to - from];
        for (int n = from; n < to; n++) {
            left[n - from] = fleet.node(n).allocatable();
        }
        for (var kind : gang.kinds()) {
            int need = kind.replicas();
            for (int n = from; n < to && need > 0; n = end(kind, n, to)) {
                need -= seat(kind, left, from, n, end(kind, n, to), need);
            }
            if (need > 0) {
                return false;
            }
        }
        return true;
    }

    /** Seats up to {@code need} replicas, whole slices of them, on the first nodes with room; returns how many. */
    private int seat(Gang.Kind kind, Resources[] left, int offset, int first, int last, int need) {
        long room = 0;
        for (int n = first; n < last; n++) {
            room += count(left[n - offset], kind.each(), need);
        }
        int seated = (int) whole(kind, first, Math.min(room, need));
        int more = seated;
        for (int n = first; n < last && more > 0; n++) {
            int here = count(left[n - offset], kind.each(), more);
            left[n - offset] = left[n - offset].minus(kind.each().times(here));
            more -= here;
        }
        return seated;
    }

    /** Replicas that nodes {@code from..to} hold, whole slices of them; counting stops at {@code enough}. */
    private long fit(Gang.Kind kind, int from, int to, int enough) {
        long fit = 0;
        for (int n = from; n < to && fit < enough; n = end(kind, n, to)) {
            long room = 0;
            for (int i = n; i < end(kind, n, to); i++) {
                room += count(fleet.node(i).allocatable(), kind.each(), Integer.MAX_VALUE);
            }
            fit += whole(kind, n, room);
        }
        return fit;
    }

    /** Whole slices only; none where the node lacks the label of their level. */
    private long whole(Gang.Kind kind, int node, long room) {
        var slices = kind.slices();
        return slices != null && !partition.inDomain(node, partition.level(slices.level())) ? 0 : kind.whole(room);
    }

    /** Where the domain ends that holds a slice; without slices the next node. */
    private int end(Gang.Kind kind, int node, int to) {
        var slices = kind.slices();
        return slices == null ? node + 1 : partition.runEnd(partition.level(slices.level()), node, to);
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
        for (int d = 0; hasLevels && d < partition.domainCount(levelNumber); d++) {
            long fit = fit(
                    kind, partition.domainFrom(levelNumber, d), partition.domainTo(levelNumber, d), Integer.MAX_VALUE);
            if (fit > best) {
                best = fit;
                path = partition.domainPath(levelNumber, d);
            }
        }
        int gpus = (int) Math.min(Integer.MAX_VALUE, best * kind.each().gpus());
        for (int n = partition.from(); best == 0 && n < partition.to(); n++) {
            // Not even one replica or slice fits: the largest node says how large one may be.
            if (fleet.node(n).allocatable().gpus() > gpus) {
                gpus = fleet.node(n).allocatable().gpus();
                path = partition.domainPath(partition.nodeLevel(), n - partition.from());
            }
        }
        return new Reason.NeverFits(partition.poolId(), gang.gpus(), level, gpus, path, kind.slices());
    }
}
