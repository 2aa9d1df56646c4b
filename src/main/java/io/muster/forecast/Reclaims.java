package io.muster.forecast;

import io.muster.model.PoolId;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.scheduling.snapshot.RunningJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was reclaimed within the policy's window, as the clock goes on: it limits what may be reclaimed next. */
final class Reclaims {
    private final Duration window;
    private final Deque<Taken> taken = new ArrayDeque<>();

    private record Taken(Instant at, PoolId pool, int gpus) {}

    /** What was reclaimed before is taken to have been reclaimed just now. */
    Reclaims(List<PoolView> pools, Instant now, Duration window) {
        this.window = window;
        for (var pool : pools) {
            if (pool.reclaimedLately() > 0) {
                taken.add(new Taken(now, pool.id(), pool.reclaimedLately()));
            }
        }
    }

    void add(Decision.RequestCheckpoint decision, RunningJob victim, Instant now) {
        if (decision.cause() == Decision.Cause.RECLAIM && !decision.guaranteed()) {
            taken.add(new Taken(now, victim.pool(), decision.gpusFreed()));
        }
    }

    /** When the limit loosens next, or null. */
    @Nullable Instant next() {
        var first = taken.peekFirst();
        return first == null ? null : first.at.plus(window);
    }

    /** The pools as they are at {@code now}. */
    List<PoolView> at(List<PoolView> pools, Instant now) {
        int before = taken.size();
        while (!taken.isEmpty() && !taken.getFirst().at.plus(window).isAfter(now)) {
            taken.removeFirst();
        }
        return before == taken.size()
                ? pools
                : pools.stream()
                        .map(p -> new PoolView(p.id(), p.levels(), lately(p.id())))
                        .toList();
    }

    private int lately(PoolId pool) {
        return taken.stream()
                .filter(t -> t.pool.equals(pool))
                .mapToInt(Taken::gpus)
                .sum();
    }
}
