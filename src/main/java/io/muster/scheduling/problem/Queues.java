package io.muster.scheduling.problem;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for each pool, team by team; kept from one snapshot to the next, so that a cycle changes only what has changed.
 * Jobs in backoff stand in no queue.
 */
public final class Queues {
    private static final Comparator<Claimant> PRIVILEGED_ORDER =
            Comparator.comparingInt((Claimant c) -> -c.priority()).thenComparing(Claimant.OLDEST);

    private final List<PoolQueue> pools = new ArrayList<>();

    private static final class PoolQueue {
        final TeamLine[] teams;
        final List<Claimant> privileged = new ArrayList<>();
        long[] wanted = new long[16];
        int count;

        PoolQueue(int leaves) {
            teams = new TeamLine[leaves];
        }
    }

    Queues(int poolCount, int leaves) {
        for (int i = 0; i < poolCount; i++) {
            pools.add(new PoolQueue(leaves));
        }
    }

    void add(Claimant claimant) {
        var queue = count(claimant, 1);
        if (claimant.facts().acrossTeams()) {
            int at = Collections.binarySearch(queue.privileged, claimant, PRIVILEGED_ORDER);
            queue.privileged.add(-at - 1, claimant);
            return;
        }
        if (queue.teams[claimant.leaf()] == null) {
            queue.teams[claimant.leaf()] = new TeamLine();
        }
        queue.teams[claimant.leaf()].add(claimant, 0);
    }

    void remove(Claimant claimant) {
        var queue = count(claimant, -1);
        if (claimant.facts().acrossTeams()) {
            queue.privileged.remove(Collections.binarySearch(queue.privileged, claimant, PRIVILEGED_ORDER));
        } else {
            queue.teams[claimant.leaf()].remove(claimant, 0);
        }
    }

    private PoolQueue count(Claimant claimant, int sign) {
        var queue = pools.get(claimant.pool());
        if (claimant.user() >= queue.wanted.length) {
            queue.wanted = Arrays.copyOf(queue.wanted, 2 * claimant.user());
        }
        queue.wanted[claimant.user()] += (long) sign * claimant.gpus();
        queue.count += sign;
        return queue;
    }

    /** The jobs of a team that are of no privileged class, by priority; null when it has none. */
    public @Nullable TeamLine team(int pool, int leaf) {
        var line = pools.get(pool).teams[leaf];
        return line == null || line.isEmpty() ? null : line;
    }

    /** Jobs of classes that may take from other teams: higher priority first, then the oldest. */
    public List<Claimant> privileged(int pool) {
        return Collections.unmodifiableList(pools.get(pool).privileged);
    }

    /** GPUs that the user's jobs wait for in the pool. */
    long wanted(int pool, int user) {
        long[] wanted = pools.get(pool).wanted;
        return user < wanted.length ? wanted[user] : 0;
    }

    int count(int pool) {
        return pools.get(pool).count;
    }
}
