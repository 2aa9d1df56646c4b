package io.muster.scheduling.moves;

import io.muster.model.JobId;
import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.problem.Occupant;
import java.util.List;

/**
 * A place for a gang, and who goes on elsewhere so that it comes free.
 *
 * @param moves never empty, the largest first
 */
public record Moves(Layout layout, List<Move> moves) {

    /**
     * One job's move.
     *
     * @param to its new place, free now
     * @param cost GPU-seconds lost by it
     */
    public record Move(Occupant occupant, Gang gang, Layout to, long cost) {}

    public Moves {
        moves = List.copyOf(moves);
    }

    /** GPU-seconds lost by all. */
    public long cost() {
        return moves.stream().mapToLong(Move::cost).sum();
    }

    public List<Occupant> occupants() {
        return moves.stream().map(Move::occupant).toList();
    }

    /** Who moves. */
    public List<JobId> jobs() {
        return moves.stream().map(m -> m.occupant().id()).toList();
    }
}
