package io.muster.scheduling.moves;

import io.muster.model.Resources;
import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.problem.Occupant.Spot;
import java.util.Comparator;

/**
 * A running job that could go on elsewhere.
 *
 * @param gang its whole gang, as it will be placed again
 * @param cost GPU-seconds lost by moving it: since its last checkpoint, and its restart
 */
record Mover(Occupant occupant, Gang gang, long cost) {
    static final Comparator<Mover> CHEAPEST = Comparator.comparingLong(Mover::cost)
            .thenComparing(m -> m.occupant.job().startedAt(), Comparator.reverseOrder())
            .thenComparing(m -> m.occupant.id());

    /** Who is hardest to place again goes first. */
    static final Comparator<Mover> LARGEST =
            Comparator.comparingInt((Mover m) -> -m.occupant.gpus()).thenComparing(m -> m.occupant.id());

    /** What it holds on {@code node}. */
    Resources on(int node) {
        for (Spot spot : occupant.spots()) {
            if (spot.node() == node) {
                return spot.amount();
            }
        }
        return Resources.NONE;
    }
}
