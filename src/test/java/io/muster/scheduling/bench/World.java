package io.muster.scheduling.bench;

import io.muster.model.TopologyRequest;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.WaitingJob;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/** The worlds that are measured, by the names that the issue and docs/performance.md give them. */
public enum World {
    T1_EMPTY("T1 empty fleet, fill it"),
    T1_FULL("T1 full, nothing can start"),
    T1_OWED("T1 full, one team in ten is owed"),
    T1_HALF("T1 half full"),
    T4A("T4a 750 gangs of 4, 9 of 1,000"),
    T4B("T4b gangs of 4 x 8 in racks"),
    T4C("T4c one gang of every node"),
    T5A("T5a one gang of half the fleet"),
    T5B("T5b as many one-GPU jobs"),
    T5C("T5c a gang that cannot be helped");

    private static final int RECLAIMING_TEAMS = 10;

    final String title;

    World(String title) {
        this.title = title;
    }

    /** {@code waiting} and {@code teams} say something of T1 alone; gangs in racks and of every node have half the nodes. */
    ClusterSnapshot of(int nodes, int waiting, int teams) {
        return switch (this) {
            case T1_EMPTY, T1_FULL, T1_OWED, T1_HALF -> whole(new Workload(nodes, teams), waiting);
            case T4A -> Gangs.many(nodes);
            case T4B -> Gangs.racks(nodes / 2);
            case T4C -> Gangs.one(nodes / 2);
            case T5A, T5B, T5C -> reclaim(new Workload(nodes, RECLAIMING_TEAMS), nodes);
        };
    }

    private ClusterSnapshot whole(Workload load, int waiting) {
        var queue = load.queue(waiting);
        var empty = load.snapshot(queue, List.of(), t -> 1.0);
        if (this == T1_EMPTY) {
            return empty;
        }
        var filled = load.running(empty, new Scheduler().plan(empty).decisions());
        return switch (this) {
            case T1_HALF -> load.snapshot(queue, filled.subList(0, filled.size() / 2), t -> 1.0);
            case T1_OWED -> load.snapshot(queue, filled, t -> t % 10 == 0 ? 20.0 : 0.5);
            default -> load.snapshot(queue, filled, t -> 1.0);
        };
    }

    /** One team is guaranteed all, another runs on all. */
    private ClusterSnapshot reclaim(Workload load, int nodes) {
        List<RunningJob> singles = load.singles(1, 8 * nodes);
        List<WaitingJob> claimants = switch (this) {
            case T5A -> load.equal(0, 1, 4 * nodes, TopologyRequest.NONE);
            case T5B -> load.equal(0, 8 * nodes, 1, TopologyRequest.NONE);
            default -> load.equal(0, 1, 80, TopologyRequest.NONE);
        };
        int owed = this == T5C ? 1 : 0;
        IntToDoubleFunction share = t -> t == owed ? 10 : 0;
        return load.snapshot(claimants, singles, share);
    }
}
