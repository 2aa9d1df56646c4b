package io.muster.scheduling;

import io.muster.model.JobId;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.ordering.InnerOrder;
import io.muster.scheduling.ordering.PassedOver;
import io.muster.scheduling.ordering.Places;
import io.muster.scheduling.ordering.Privileged;
import io.muster.scheduling.ordering.Refused;
import io.muster.scheduling.ordering.Turns;
import io.muster.scheduling.problem.Claimant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that wait, pool by pool, in whose order they stand. */
final class Line {
    private final Draft draft;
    private final InnerOrder order;

    Line(Draft draft) {
        this.draft = draft;
        order = new InnerOrder(draft.problem());
    }

    /** The order of each pool as people see it. */
    List<List<Claimant>> places() {
        draft.problem().requireGood();
        var over = new PassedOver(draft.problem().gone(), new BitSet(), new Refused());
        var orders = new ArrayList<List<Claimant>>();
        for (var shares : draft.shares()) {
            int pool = orders.size();
            int[] allocated = shares.allocations();
            int[] held = draft.held(pool).clone();
            orders.add(Places.inOrder(turns(pool, allocated, held, over), shares.tree(), allocated, held));
        }
        return orders;
    }

    private Turns turns(int pool, int[] allocated, int[] held, PassedOver over) {
        var queues = draft.problem().queues();
        var privileged =
                new Privileged(queues.privileged(pool), name -> draft.holdings().heldByClass(name, pool), over);
        return new Turns(draft.shares(pool), queues, pool, privileged, order, allocated, held, over);
    }

    /**
     * Gives every job its turn, in all pools together, the most urgent first. One that finds nothing speaks for all of its
     * kind in this pass, since room only shrinks; what changes in its favour after it shows in the next pass.
     */
    void serve(Desk desk) {
        var refused = new Refused();
        var over = new PassedOver(draft.problem().gone(), draft.settled(), refused);
        var turns = new ArrayList<Turns>();
        for (var shares : draft.shares()) {
            int pool = turns.size();
            turns.add(turns(pool, shares.live(), draft.held(pool), over));
        }
        var deferred = new ArrayList<Claimant>();
        for (var next = mostUrgent(turns); next != null; next = mostUrgent(turns)) {
            var claimant = next.peek();
            if (claimant == null) {
                break;
            }
            next.take(claimant);
            if (waitsForBeneficiary(claimant) || !consider(desk, claimant)) {
                deferred.add(claimant);
            } else {
                refuse(desk, claimant, refused);
            }
            next.settle(claimant.leaf());
            for (var touched : draft.drainTouched()) {
                turns.get(touched.pool()).settle(touched.leaf());
            }
            draft.drainSplit().forEach(pool -> turns.get(pool).settleAll());
        }
        desk.allAsked();
        for (var claimant : deferred) {
            if (!refused.has(claimant)) {
                consider(desk, claimant);
                refuse(desk, claimant, refused);
            }
        }
    }

    /** One that found nothing speaks for others. */
    private void refuse(Desk desk, Claimant claimant, Refused refused) {
        if (claimant.kind() >= 0 && !draft.isSettled(claimant)) {
            desk.openings().refuse(claimant, refused);
        }
    }

    private static @Nullable Turns mostUrgent(List<Turns> turns) {
        Turns best = null;
        for (var t : turns) {
            if (t.peek() != null && (best == null || t.urgency() < best.urgency())) {
                best = t;
            }
        }
        return best;
    }

    /** A victim goes after the jobs that it yielded to, so that it does not take their GPUs. */
    private boolean waitsForBeneficiary(Claimant claimant) {
        for (JobId beneficiary : claimant.job().notBeside()) {
            var other = draft.problem().claimant(beneficiary);
            if (other != null && !draft.isSettled(other)) {
                return true;
            }
        }
        return false;
    }

    /** Whatever the core throws over one job stays with that job; false: it is to have another turn later. */
    private boolean consider(Desk desk, Claimant claimant) {
        try {
            return desk.consider(claimant);
        } catch (RuntimeException e) {
            draft.problem().setAside(claimant.id(), e);
            return true;
        }
    }
}
