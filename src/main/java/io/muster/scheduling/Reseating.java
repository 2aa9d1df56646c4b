package io.muster.scheduling;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.topology.Partition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Seats starts of this pass anew where that lets one job more start. They have not happened yet, so moving them costs
 * nothing; none of them is lost, so the order of jobs is kept.
 */
final class Reseating {
    /** The latest starts that move for one job. */
    private static final int MOST_MOVED = 32;
    /** Jobs for which it is tried in one pass. */
    private static final int MOST_TRIES = 8;

    private static final Comparator<Claimant> LARGEST_GANG_FIRST =
            Comparator.comparingInt(Claimant::gpus).reversed().thenComparing(Claimant.OLDEST);

    private static final Comparator<Claimant> LARGEST_REPLICA_FIRST = Comparator.comparingInt(
                    (Claimant c) -> c.gang().kinds().getFirst().each().gpus())
            .reversed()
            .thenComparing(LARGEST_GANG_FIRST);

    /** Orders of seating that are tried, one after the other. */
    private static final List<Comparator<Claimant>> ORDERS = List.of(LARGEST_REPLICA_FIRST, LARGEST_GANG_FIRST);

    private final Draft draft;
    private final List<Claimant> movable = new ArrayList<>();
    private int tries;

    Reseating(Draft draft) {
        this.draft = draft;
    }

    /** Notes a start that nothing else in the plan depends on. */
    void note(Claimant started) {
        movable.add(started);
    }

    /** A place for {@code claimant} that moved starts have left, or null; with one, they have moved. */
    @Nullable Layout makeRoom(Claimant claimant, Partition partition, LevelWish wish) {
        // What is reserved for heads depends on who runs where: there nothing is moved.
        if (movable.isEmpty() || tries == MOST_TRIES || draft.heads().any(partition.pool())) {
            return null;
        }
        if (draft.room().freeStrictly(partition) < claimant.gpus()) {
            return null;
        }
        var moved = latest(partition);
        if (moved.isEmpty()) {
            return null;
        }
        tries++;
        for (var order : ORDERS) {
            var places = places(claimant, moved, partition, wish, order);
            var own = places.remove(claimant);
            if (own != null) {
                draft.reseat(places);
                return own;
            }
        }
        return null;
    }

    /** The latest starts of the partition, the last first. */
    private List<Claimant> latest(Partition partition) {
        var latest = new ArrayList<Claimant>();
        for (int i = movable.size() - 1; i >= 0 && latest.size() < MOST_MOVED; i--) {
            var layout = draft.startedAt(movable.get(i));
            if (layout != null && layout.partition().number() == partition.number()) {
                latest.add(movable.get(i));
            }
        }
        return latest;
    }

    /** Places for all, found in that order; empty when one of them finds none. The room is left as it was. */
    private Map<Claimant, Layout> places(
            Claimant claimant, List<Claimant> moved, Partition partition, LevelWish own, Comparator<Claimant> order) {
        var all = new ArrayList<>(moved);
        all.add(claimant);
        all.sort(order);
        var places = new LinkedHashMap<Claimant, Layout>();
        try (var trial = draft.room().trial()) {
            moved.forEach(draft::vacate);
            for (var each : all) {
                var wish = each == claimant ? own : wish(each, partition);
                var layout = wish == null
                        ? null
                        : draft.placer()
                                .place(
                                        each.gang(),
                                        partition,
                                        wish,
                                        draft.room().strict(),
                                        each.excluded());
                if (layout == null) {
                    return new LinkedHashMap<>();
                }
                layout.spots().forEach(s -> draft.room().occupy(s.node(), s.amount()));
                places.put(each, layout);
            }
        }
        return places;
    }

    private @Nullable LevelWish wish(Claimant started, Partition partition) {
        return LevelWish.of(
                started.facts().topology(),
                partition,
                started.job().waitingSince(),
                draft.problem().asOf());
    }
}
