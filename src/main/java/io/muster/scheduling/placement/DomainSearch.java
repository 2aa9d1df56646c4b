package io.muster.scheduling.placement;

import io.muster.scheduling.placement.Gang.Kind;
import io.muster.scheduling.placement.Layout.Spot;
import io.muster.scheduling.topology.Partition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the finest, then fullest domain that holds a whole gang, within a range of a partition's nodes. */
final class DomainSearch {
    private final Room room;
    private final Census census;
    private final Partition partition;
    private final Plane plane;
    private final @Nullable BitSet excluded;
    private final int from;
    private final int to;

    DomainSearch(
            Room room, Census census, Partition partition, Plane plane, @Nullable BitSet excluded, int from, int to) {
        this.room = room;
        this.census = census;
        this.partition = partition;
        this.plane = plane;
        this.excluded = excluded;
        this.from = from;
        this.to = to;
    }

    private record Found(int level, int domain, int from, int to, long free) {
        static final Comparator<Found> FULLEST =
                Comparator.comparingLong(Found::free).thenComparingInt(Found::from);
    }

    /** A place for {@code kind.replicas()} equal replicas, {@code gpus} in all. */
    @Nullable Layout uniform(Kind kind, int gpus, LevelWish wish) {
        if (!wish.asked() && kind.slices() == null) {
            var gap = inGaps(kind, gpus);
            if (gap != null) {
                return gap;
            }
        }
        census.take(plane, kind, partition, excluded, from, to, node -> false);
        return finest(kind, wish);
    }

    /** A gang smaller than a node fills nodes that are broken already: one of them, or several near each other. */
    private @Nullable Layout inGaps(Kind kind, int gpus) {
        census.take(plane, kind, partition, excluded, from, to, node -> isNoGapFor(node, gpus));
        return census.count(Partition.WHOLE, from, to) < kind.replicas() ? null : finest(kind, LevelWish.ANYWHERE);
    }

    private boolean isNoGapFor(int node, int gpus) {
        return gpus >= room.fleet().node(node).allocatable().gpus() || room.isWhole(plane, node);
    }

    private @Nullable Layout finest(Kind kind, LevelWish wish) {
        if (census.count(partition.nodeLevel(), from, to) < kind.replicas()) {
            return null;
        }
        for (int level = partition.nodeLevel(); level >= wish.coarsest(); level--) {
            var found = fullest(level, wish, kind.replicas());
            if (found != null) {
                var spots = new ArrayList<Spot>();
                new Split(partition, census, kind, 0).into(level, found.from, found.to, kind.replicas(), spots);
                return new Layout(partition, found.level, found.domain, spots);
            }
        }
        return null;
    }

    private @Nullable Found fullest(int level, LevelWish wish, int replicas) {
        Found best = null;
        boolean bestWhole = false;
        for (int d = 0; d < partition.domainCount(level); d++) {
            int first = Math.max(from, partition.domainFrom(level, d));
            int last = Math.min(to, partition.domainTo(level, d));
            if (first >= last || census.count(level, first, last) < replicas || !wish.isLabelled(partition, first)) {
                continue;
            }
            long free = census.free(first, last);
            boolean whole = level == partition.nodeLevel() && room.isWhole(plane, first);
            boolean better = best == null || (whole == bestWhole ? free < best.free : bestWhole);
            if (better) {
                best = new Found(level, d, first, last, free);
                bestWhole = whole;
            }
        }
        return best;
    }

    /** A place for replicas of several kinds: the hardest kind is placed first, the others in what it leaves. */
    @Nullable Layout mixed(List<Kind> kinds, LevelWish wish) {
        for (int level = partition.nodeLevel(); level >= wish.coarsest(); level--) {
            for (var found : candidates(kinds, level, wish)) {
                var spots = mixedIn(kinds, found);
                if (spots != null) {
                    return new Layout(partition, found.level, found.domain, spots);
                }
            }
        }
        return null;
    }

    /** Domains in which each kind alone would fit, the fullest first. */
    private List<Found> candidates(List<Kind> kinds, int level, LevelWish wish) {
        boolean[] out = new boolean[partition.domainCount(level)];
        var found = new ArrayList<Found>();
        for (var kind : kinds) {
            census.take(plane, kind, partition, excluded, from, to, node -> false);
            found.clear();
            for (int d = 0; d < out.length; d++) {
                int first = Math.max(from, partition.domainFrom(level, d));
                int last = Math.min(to, partition.domainTo(level, d));
                out[d] = out[d]
                        || first >= last
                        || census.count(level, first, last) < kind.replicas()
                        || !wish.isLabelled(partition, first);
                if (!out[d]) {
                    found.add(new Found(level, d, first, last, census.free(first, last)));
                }
            }
        }
        found.sort(Found.FULLEST);
        return found;
    }

    private @Nullable List<Spot> mixedIn(List<Kind> kinds, Found domain) {
        var scratch = plane.copy();
        var spots = new ArrayList<Spot>();
        for (int k = 0; k < kinds.size(); k++) {
            var kind = kinds.get(k);
            census.take(scratch, kind, partition, excluded, domain.from, domain.to, node -> false);
            if (census.count(domain.level, domain.from, domain.to) < kind.replicas()) {
                return null;
            }
            var added = new ArrayList<Spot>();
            new Split(partition, census, kind, k).into(domain.level, domain.from, domain.to, kind.replicas(), added);
            added.forEach(spot -> scratch.subtract(spot.node(), spot.amount()));
            spots.addAll(added);
        }
        return spots;
    }
}
