package io.muster.scheduling.explain;

import io.muster.model.NodeGap;
import io.muster.model.Reason;
import io.muster.model.Resources;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.topology.Partition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What of one partition stops a gang: too little in sum, on nodes, or in domains; or GPUs kept for others. */
final class MachineReasons {
    private static final int MOST_RESERVATIONS = 3;
    private final Draft draft;
    private final Scene scene;
    private final Partition partition;
    private final Gang gang;
    private final LevelWish wish;
    private final @Nullable BitSet excluded;

    MachineReasons(
            Draft draft, Scene scene, Partition partition, Gang gang, LevelWish wish, @Nullable BitSet excluded) {
        this.draft = draft;
        this.scene = scene;
        this.partition = partition;
        this.gang = gang;
        this.wish = wish;
        this.excluded = excluded;
    }

    /** The binding reason first; never empty. */
    List<Reason> find() {
        var reasons = new ArrayList<Reason>();
        boolean fitsWithoutReservations =
                draft.placer().place(gang, partition, wish, draft.room().present(), excluded) != null;
        var kept = kept();
        if (fitsWithoutReservations) {
            reasons.addAll(kept);
        }
        reasons.add(shortage(draft.room().strict()));
        if (!fitsWithoutReservations) {
            reasons.addAll(kept);
        }
        return List.copyOf(reasons);
    }

    private Reason shortage(Plane plane) {
        int free = IntStream.range(partition.from(), partition.to())
                .filter(this::usable)
                .map(n -> Math.max(0, plane.gpus(n)))
                .sum();
        if (free < gang.gpus()) {
            return new Reason.Capacity(
                    partition.poolId(), gang.gpus(), required(), free, unavailable(), scene.holders(partition));
        }
        var kind = gang.kinds().getFirst();
        var hardest = kind.each();
        int fit = fit(plane, hardest, partition.from(), partition.to());
        boolean anywhere = wish.coarsest() == Partition.WHOLE && kind.slices() == null;
        if (fit < kind.replicas() || anywhere) {
            return new Reason.Fragmentation(
                    partition.poolId(),
                    gang.replicas(),
                    hardest,
                    Math.min(fit, gang.replicas()),
                    free,
                    nearest(plane, partition.from(), partition.to()));
        }
        return topology(plane, kind);
    }

    /** The level of which one domain must hold the whole gang now; null: none. */
    private @Nullable String required() {
        return wish.coarsest() == Partition.WHOLE
                ? null
                : partition.levels().get(wish.coarsest()).level();
    }

    private Reason topology(Plane plane, Gang.Kind kind) {
        int best = -1;
        int bestFit = -1;
        for (int d = 0; d < partition.domainCount(wish.coarsest()); d++) {
            int from = partition.domainFrom(wish.coarsest(), d);
            int fit = fit(plane, kind, from, partition.domainTo(wish.coarsest(), d));
            if (fit > bestFit && wish.isLabelled(partition, from)) {
                best = d;
                bestFit = fit;
            }
        }
        // Where no node has the label, there is no such domain.
        int level = best < 0 ? Partition.WHOLE : wish.coarsest();
        return new Reason.Topology(
                partition.poolId(),
                level(kind),
                gang.replicas(),
                kind.each(),
                partition.domainPath(level, best),
                Math.max(0, bestFit),
                wish.relaxesAt(),
                nearest(plane, partition.domainFrom(level, best), partition.domainTo(level, best)),
                kind.slices());
    }

    /** The level that is asked for; where the gang may lie anywhere that of its slices. */
    private String level(Gang.Kind kind) {
        return wish.coarsest() == Partition.WHOLE && kind.slices() != null
                ? kind.slices().level()
                : partition.levels().get(wish.coarsest()).level();
    }

    /** Replicas with room on nodes {@code from..to}, whole slices of them. */
    private int fit(Plane plane, Gang.Kind kind, int from, int to) {
        var slices = kind.slices();
        int level = slices == null ? Partition.WHOLE : partition.level(slices.level());
        if (level == Partition.WHOLE) {
            return fit(plane, kind.each(), from, to);
        }
        int fit = 0;
        int end;
        for (int n = from; n < to; n = end) {
            end = partition.runEnd(level, n, to);
            fit += partition.inDomain(n, level) ? (int) kind.whole(fit(plane, kind.each(), n, end)) : 0;
        }
        return fit;
    }

    private int fit(Plane plane, Resources each, int from, int to) {
        int fit = 0;
        for (int n = from; n < to; n++) {
            fit += usable(n) ? plane.count(n, each, gang.replicas()) : 0;
        }
        return fit;
    }

    private boolean usable(int node) {
        return draft.room().takes(node, excluded);
    }

    private int unavailable() {
        var fleet = draft.problem().fleet();
        return IntStream.range(partition.from(), partition.to())
                .filter(n -> !fleet.takes(n))
                .map(n -> fleet.node(n).allocatable().gpus())
                .sum();
    }

    /** The nodes with the most free GPUs, in tree order. */
    private List<NodeGap> nearest(Plane plane, int from, int to) {
        return IntStream.range(from, to)
                .filter(this::usable)
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(n -> -plane.gpus(n)).thenComparing(Comparator.naturalOrder()))
                .limit(Scene.MOST_NODES)
                .sorted()
                .map(scene::gap)
                .toList();
    }

    private List<Reason> kept() {
        return draft.reservedIn(partition).stream()
                .limit(MOST_RESERVATIONS)
                .map(r -> (Reason) new Reason.ReservedForAnother(partition.poolId(), r.job(), r.gpus(), r.until()))
                .toList();
    }
}
