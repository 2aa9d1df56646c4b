package io.muster.cycle;

import static java.util.Comparator.comparing;

import io.muster.inventory.Node;
import io.muster.inventory.Pool;
import io.muster.job.JobDocument;
import io.muster.model.GpuTypeId;
import io.muster.model.PoolId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Which pools a job may run in, in its order of preference. */
final class PoolChoice {
    private final List<Pool> pools;
    private final Map<PoolId, Set<GpuTypeId>> types = new HashMap<>();
    private final Map<PoolId, Long> largestMemory = new HashMap<>();

    /** @param memoryMib nominal memory of each type */
    PoolChoice(List<Pool> pools, List<Node> nodes, Map<GpuTypeId, Long> memoryMib) {
        this.pools = List.copyOf(pools);
        for (Node node : nodes) {
            types.computeIfAbsent(node.pool(), p -> new TreeSet<>()).add(node.gpuType());
            largestMemory.merge(node.pool(), memoryMib.getOrDefault(node.gpuType(), 0L), Math::max);
        }
    }

    /** Whether it chooses the same for every document. */
    boolean isLike(PoolChoice other) {
        return pools.equals(other.pools) && types.equals(other.types) && largestMemory.equals(other.largestMemory);
    }

    /**
     * The pool that the document names; else those with an acceptable type, the best liked type first, then the cheapest;
     * else all, so that there is something to say why it waits.
     */
    List<PoolId> of(JobDocument document) {
        if (document.pool() != null) {
            return List.of(document.pool());
        }
        List<Pool> fitting =
                pools.stream().filter(p -> accepts(document, p.id())).toList();
        return (fitting.isEmpty() ? pools : fitting)
                .stream()
                        .sorted(comparing((Pool p) -> liking(document, p.id()))
                                .thenComparing(Pool::microsPerGpuHour)
                                .thenComparing(Pool::id))
                        .map(Pool::id)
                        .toList();
    }

    private boolean accepts(JobDocument document, PoolId pool) {
        boolean memory = largestMemory.getOrDefault(pool, 0L) >= document.minGpuMemoryMib();
        Set<GpuTypeId> offered = types.getOrDefault(pool, Set.of());
        return memory
                && (document.gpuTypes().isEmpty()
                        || document.gpuTypes().stream().anyMatch(offered::contains));
    }

    private int liking(JobDocument document, PoolId pool) {
        Set<GpuTypeId> offered = types.getOrDefault(pool, Set.of());
        for (int i = 0; i < document.gpuTypes().size(); i++) {
            if (offered.contains(document.gpuTypes().get(i))) {
                return i;
            }
        }
        return document.gpuTypes().size();
    }
}
