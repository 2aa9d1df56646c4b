package io.muster.scheduling.placement;

import io.muster.model.TopologyRequest;
import io.muster.scheduling.topology.Partition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The coarsest level whose one domain must hold a gang now.
 *
 * @param coarsest a level's number, or {@link Partition#WHOLE}
 * @param required the level that is required, waited for or not: its label must be there
 * @param asked the job asked for some topology, so it does not fill gaps across domains
 * @param relaxesAt until then the preferred level is waited for; null when nothing will relax
 */
public record LevelWish(
        int coarsest, int required, boolean asked, @Nullable Instant relaxesAt) {
    public static final LevelWish ANYWHERE = new LevelWish(Partition.WHOLE, Partition.WHOLE, false, null);

    /**
     * The wish of {@code request} in a partition at {@code asOf}, or null when the pool has no level of the required
     * name.
     */
    public static @Nullable LevelWish of(TopologyRequest request, Partition partition, Instant waiting, Instant asOf) {
        if (request.require() == null && request.prefer() == null) {
            return ANYWHERE;
        }
        int required = Partition.WHOLE;
        if (request.require() != null) {
            required = partition.level(request.require());
            if (required == Partition.WHOLE) {
                return null;
            }
        }
        int preferred = request.prefer() == null ? Partition.WHOLE : partition.level(request.prefer());
        boolean asked = required != Partition.WHOLE || preferred != Partition.WHOLE;
        var relaxesAt = waiting.plus(request.patience());
        if (preferred > required && asOf.isBefore(relaxesAt)) {
            return new LevelWish(preferred, required, asked, relaxesAt);
        }
        return new LevelWish(required, required, asked, null);
    }

    /** True when {@code node} carries the labels of the levels that count. */
    public boolean isLabelled(Partition partition, int node) {
        return partition.inDomain(node, coarsest) && partition.inDomain(node, required);
    }
}
