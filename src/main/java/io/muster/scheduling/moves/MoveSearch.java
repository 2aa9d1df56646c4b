package io.muster.scheduling.moves;

import io.muster.model.JobId;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.placement.Room;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.topology.Partition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the cheapest jobs whose moving lets a gang in, each with its new place; the draft is left as it was. */
final class MoveSearch {
    /** Domains that are tried whole, the cheapest first. */
    private static final int MOST_DOMAINS = 16;

    /** How often somebody may prove to have nowhere to go before a domain is given up. */
    private static final int MOST_STUCK = 8;

    private final Draft draft;
    private final Room room;
    private final Movers movers;
    private final boolean avoiding;

    private record Range(int from, int to, long cost, int movers) {
        static final Comparator<Range> CHEAPEST = Comparator.comparingLong(Range::cost)
                .thenComparingInt(Range::movers)
                .thenComparingInt(Range::from);
    }

    /** {@code avoiding}: nobody moves to where something is kept for a shape of others. */
    MoveSearch(Draft draft, Movers movers, boolean avoiding) {
        this.draft = draft;
        this.movers = movers;
        this.avoiding = avoiding;
        room = draft.room();
    }

    /** The gang's place in {@code partition} and who goes where for it, or null. */
    @Nullable Moves find(Claimant claimant, Partition partition, LevelWish wish) {
        for (var range : ranges(claimant, partition, wish)) {
            var found = prove(claimant, partition, wish, range);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** The domains that could be cleared, the cheapest first. */
    private List<Range> ranges(Claimant claimant, Partition partition, LevelWish wish) {
        boolean single = claimant.gang().replicas() == 1;
        int level = single ? partition.nodeLevel() : wish.coarsest();
        var ranges = new ArrayList<Range>();
        for (int d = 0; d < partition.domainCount(level); d++) {
            int from = partition.domainFrom(level, d);
            int to = partition.domainTo(level, d);
            if (wish.coarsest() != Partition.WHOLE && !wish.isLabelled(partition, from)) {
                continue;
            }
            var vacating = new Vacating(claimant, movers, room, new HashSet<>(), from, to);
            try (var trial = room.trial()) {
                if (vacating.clear() && !vacating.chosen().isEmpty()) {
                    ranges.add(new Range(
                            from, to, vacating.cost(), vacating.chosen().size()));
                }
            }
        }
        ranges.sort(Range.CHEAPEST);
        return ranges.subList(0, Math.min(MOST_DOMAINS, ranges.size()));
    }

    private @Nullable Moves prove(Claimant claimant, Partition partition, LevelWish wish, Range range) {
        var stuck = new HashSet<JobId>();
        for (int tries = 0; tries < MOST_STUCK; tries++) {
            int before = stuck.size();
            try (var trial = room.trial()) {
                var vacating = new Vacating(claimant, movers, room, stuck, range.from, range.to);
                var layout = vacating.clear() ? place(claimant, partition, wish, range) : null;
                if (layout == null) {
                    return null;
                }
                layout.spots().forEach(s -> room.spare(s.node(), s.amount()));
                var moves = relocate(vacating.chosen(), partition, stuck);
                if (stuck.size() == before) {
                    return new Moves(layout, needed(moves));
                }
            }
        }
        return null;
    }

    private @Nullable Layout place(Claimant claimant, Partition partition, LevelWish wish, Range range) {
        return draft.placer()
                .place(
                        claimant.gang(),
                        partition,
                        wish,
                        room.futureStrict(),
                        claimant.excluded(),
                        range.from,
                        range.to);
    }

    /** A new place for each, on GPUs that are free now; the first for whom there is none is {@code stuck}. */
    private List<Moves.Move> relocate(List<Mover> leaving, Partition partition, HashSet<JobId> stuck) {
        var moves = new ArrayList<Moves.Move>();
        for (var mover : leaving.stream().sorted(Mover.LARGEST).toList()) {
            var asOf = draft.problem().asOf();
            // It begins to wait when it is gone, so what it prefers is asked for anew.
            var wish = LevelWish.of(mover.occupant().facts().topology(), partition, asOf, asOf);
            var to = wish == null
                    ? null
                    : draft.placer().place(mover.gang(), partition, wish, room.strict(), excluded(mover));
            if (to == null) {
                stuck.add(mover.occupant().id());
                return moves;
            }
            to.spots().forEach(s -> {
                room.occupy(s.node(), s.amount());
                room.useUpCap(s.node(), s.amount());
            });
            moves.add(new Moves.Move(mover.occupant(), mover.gang(), to, mover.cost()));
        }
        return moves;
    }

    private @Nullable BitSet excluded(Mover mover) {
        var nodes = mover.occupant().job().excludedNodes();
        if (nodes.isEmpty() && !avoiding) {
            return null;
        }
        var bits = new BitSet();
        if (avoiding) {
            bits.or(draft.kept().avoidedBy(mover.occupant().leaf()));
        }
        nodes.stream()
                .mapToInt(draft.problem().fleet()::number)
                .filter(n -> n >= 0)
                .forEach(bits::set);
        return bits;
    }

    /** Those without whom the gang has its place stay, the dearest first. */
    private List<Moves.Move> needed(List<Moves.Move> moves) {
        var left = new ArrayList<>(moves);
        var byWorth = new ArrayList<>(moves);
        byWorth.sort(Comparator.comparingLong((Moves.Move m) -> -m.cost())
                .thenComparing(m -> m.occupant().id()));
        for (var move : byWorth) {
            var spots = move.occupant().spots();
            spots.forEach(s -> room.spare(s.node(), s.amount()));
            if (spots.stream().allMatch(s -> room.futureStrict().isCovered(s.node()))) {
                left.remove(move);
                move.to().spots().forEach(s -> room.occupy(s.node(), s.amount().times(-1)));
            } else {
                spots.forEach(s -> room.leave(s.node(), s.amount()));
            }
        }
        return left;
    }
}
