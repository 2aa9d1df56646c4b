package io.muster.scheduling.preemption;

import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.preemption.Clearing.Chosen;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ways to clear a range for a gang, tried in turn: the cheapest next replica first; the same, sparing the teams that could
 * not give as much as was wanted of them; at last with the claimant's own team back in its share first, because only then
 * others must yield to it.
 */
final class Attempts {
    private final Claim claim;
    private final Candidates candidates;
    private final Clearing clearing;

    Attempts(Claim claim, Candidates candidates, Clearing clearing) {
        this.claim = claim;
        this.candidates = candidates;
        this.clearing = clearing;
    }

    /** Takes victims until every kind of the gang has room, and gives it seats; false when that cannot be. */
    boolean clear(Gang gang, @Nullable List<Layout.Spot> wanted) {
        if (attempt(gang, wanted, false)) {
            return true;
        }
        clearing.startOver(new BitSet());
        return !claim.keepsToShare() && claim.mayTakeInside(candidates) && attempt(gang, wanted, true);
    }

    private boolean attempt(Gang gang, @Nullable List<Layout.Spot> wanted, boolean ownFirst) {
        claim.thatRanOut();
        if (ownFirst && !takeOwn(claim::keepsToShare)) {
            return false;
        }
        if (clearing.clear(gang, wanted)) {
            return true;
        }
        var scarce = claim.thatRanOut();
        if (scarce.isEmpty()) {
            return false;
        }
        clearing.startOver(scarce);
        return (!ownFirst || takeOwn(claim::keepsToShare)) && clearing.clear(gang, wanted);
    }

    /** A limit of the team or the user is met by lower jobs of the same team, wherever they run. */
    boolean settleShares() {
        return takeOwn(claim::isLetIn);
    }

    private boolean takeOwn(BooleanSupplier isReached) {
        for (int rank : candidates.in(claim.claimant().leaf())) {
            if (isReached.getAsBoolean()) {
                return true;
            }
            var cause = clearing.isTaken(rank) ? null : claim.cause(candidates.get(rank));
            if (cause == Cause.PREEMPTION || cause == Cause.TURN) {
                clearing.take(new Chosen(rank, cause));
            }
        }
        return isReached.getAsBoolean();
    }
}
