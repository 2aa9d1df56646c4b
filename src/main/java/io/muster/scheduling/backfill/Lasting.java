package io.muster.scheduling.backfill;

import io.muster.model.TopologyRequest;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.fairshare.Standing;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.problem.Claimant;
import java.time.Duration;

/**
 * Whether a reservation may still be met one day, though no start is in sight: demand of others, past use and promises
 * that are kept come and go, and the reservation must not come and go with them.
 */
public final class Lasting {
    private Lasting() {}

    /** True when the claimant is within what its team is entitled to. */
    public static boolean isPromised(Draft draft, Claimant claimant) {
        return Standing.isPromised(draft.shares(claimant.pool()), claimant.facts(), claimant.leaf(), claimant.gpus());
    }

    /** True when the open nodes of its pool could hold it if they were empty. */
    public static boolean isHoldable(Draft draft, Claimant claimant) {
        var facts = claimant.facts();
        var required = new TopologyRequest(facts.topology().require(), null, Duration.ZERO);
        var empty = draft.room().empty();
        for (var partition : claimant.options()) {
            var wish = LevelWish.of(
                    required,
                    partition,
                    claimant.job().waitingSince(),
                    draft.problem().asOf());
            if (partition.pool() == claimant.pool()
                    && wish != null
                    && draft.placer().place(claimant.gang(), partition, wish, empty, claimant.excluded()) != null) {
                return true;
            }
        }
        return false;
    }
}
