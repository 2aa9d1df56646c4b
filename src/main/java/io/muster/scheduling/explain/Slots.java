package io.muster.scheduling.explain;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.topology.Partition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * When whole replicas find room on single nodes, inside one domain of the required level: GPUs that come free here and
 * there do not help a job that needs them together. Looks at GPUs only and at nobody else who waits, so nothing starts
 * sooner, though it may well start later.
 */
final class Slots {
    private final Draft draft;
    private final Map<Integer, List<Freed>> byNode = new HashMap<>();
    private final Map<Key, List<Instant>> known = new HashMap<>();

    private record Freed(Instant at, int gpus) {}

    /** What decides the times: replicas of equal size have the same. */
    private record Key(int partition, int level, int gpusEach) {}

    /** {@code end}: when an occupant goes. */
    Slots(Draft draft, int pool, Function<Occupant, Instant> end) {
        this.draft = draft;
        var problem = draft.problem();
        for (var o : problem.occupants()) {
            if (o.pool() == pool) {
                o.spots().forEach(s -> free(s.node(), s.amount().gpus(), end.apply(o)));
            }
        }
        for (var start : draft.started()) {
            var walltime = start.claimant().facts().walltime();
            var gone = problem.asOf().plus(walltime == null ? problem.settings().defaultRunTime() : walltime);
            start.layout().spots().forEach(s -> free(s.node(), s.amount().gpus(), gone));
        }
        byNode.values().forEach(freed -> freed.sort(Comparator.comparing(Freed::at)));
    }

    private void free(int node, int gpus, Instant at) {
        byNode.computeIfAbsent(node, n -> new ArrayList<>()).add(new Freed(at, gpus));
    }

    /** Before this {@code claimant} fits nowhere in its pool; null: nobody knows when it does. */
    @Nullable Instant earliest(Claimant claimant) {
        Instant earliest = null;
        for (var partition : claimant.options()) {
            if (partition.pool() != claimant.pool()) {
                continue;
            }
            var wish = LevelWish.of(
                    claimant.facts().topology(),
                    partition,
                    claimant.job().waitingSince(),
                    draft.problem().asOf());
            var at = wish == null ? null : allKinds(claimant, partition, wish.required());
            if (at != null && (earliest == null || at.isBefore(earliest))) {
                earliest = at;
            }
        }
        return earliest;
    }

    private @Nullable Instant allKinds(Claimant claimant, Partition partition, int level) {
        var last = draft.problem().asOf();
        for (var kind : claimant.gang().kinds()) {
            int each = kind.each().gpus();
            if (each == 0) {
                continue;
            }
            var times =
                    known.computeIfAbsent(new Key(partition.number(), level, each), k -> times(partition, level, each));
            if (kind.replicas() > times.size()) {
                return null;
            }
            var at = times.get(kind.replicas() - 1);
            last = at.isAfter(last) ? at : last;
        }
        return last;
    }

    /** Entry n: from when on one domain has room for n + 1 replicas. */
    private List<Instant> times(Partition partition, int level, int each) {
        var best = new ArrayList<Instant>();
        for (int d = 0; d < partition.domainCount(level); d++) {
            var own = new ArrayList<Instant>();
            for (int n = partition.domainFrom(level, d); n < partition.domainTo(level, d); n++) {
                if (draft.problem().fleet().takes(n)) {
                    addSlots(n, each, own);
                }
            }
            own.sort(Comparator.naturalOrder());
            for (int i = 0; i < own.size(); i++) {
                if (i == best.size()) {
                    best.add(own.get(i));
                } else if (own.get(i).isBefore(best.get(i))) {
                    best.set(i, own.get(i));
                }
            }
        }
        return best;
    }

    private void addSlots(int node, int each, List<Instant> slots) {
        int free = Math.max(0, draft.room().present().gpus(node));
        int had = free / each;
        for (int i = 0; i < had; i++) {
            slots.add(draft.problem().asOf());
        }
        for (var freed : byNode.getOrDefault(node, List.of())) {
            free += freed.gpus;
            for (; had < free / each; had++) {
                slots.add(freed.at);
            }
        }
    }
}
