package io.muster.scheduling.topology;

import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.PoolId;
import java.util.List;

/**
 * The nodes of one pool with one type of GPU: what a gang may lie in.
 *
 * @param number its place in the fleet
 * @param pool the pool's number in the fleet
 * @param from first node
 * @param to one past the last node
 * @param levels the pool's levels from the outermost to the node
 */
public record Partition(
        int number,
        int pool,
        PoolId poolId,
        GpuTypeId type,
        long gpuMemoryMib,
        int from,
        int to,
        List<Domains> levels) {
    /** The level of the whole partition, above all levels. */
    public static final int WHOLE = -1;

    public Partition {
        levels = List.copyOf(levels);
    }

    public int nodeLevel() {
        return levels.size() - 1;
    }

    /** The number of the level called {@code name}, or {@link #WHOLE} when the pool has none. */
    public int level(String name) {
        for (int i = 0; i < levels.size(); i++) {
            if (levels.get(i).level().equals(name)) {
                return i;
            }
        }
        return WHOLE;
    }

    /** True when {@code node} carries the label of {@code level}. */
    public boolean inDomain(int node, int level) {
        return level == WHOLE || levels.get(level).of()[node - from] != Domains.NONE;
    }

    /** The end of the nodes from {@code node} on, before {@code to}, that share its domain; without a domain it is alone. */
    public int runEnd(int level, int node, int to) {
        int domain = levels.get(level).of()[node - from];
        return domain == Domains.NONE ? node + 1 : Math.min(to, domainTo(level, domain));
    }

    public int domainCount(int level) {
        return level == WHOLE ? 1 : levels.get(level).size();
    }

    public int domainFrom(int level, int domain) {
        return level == WHOLE ? from : levels.get(level).from()[domain];
    }

    public int domainTo(int level, int domain) {
        return level == WHOLE ? to : levels.get(level).to()[domain];
    }

    public DomainPath domainPath(int level, int domain) {
        return level == WHOLE ? DomainPath.POOL : levels.get(level).paths().get(domain);
    }
}
