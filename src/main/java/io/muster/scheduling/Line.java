package io.muster.scheduling;

import io.muster.model.JobId;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.fairshare.PoolShares;
import io.muster.scheduling.ordering.InnerOrder;
import io.muster.scheduling.ordering.Places;
import io.muster.scheduling.ordering.Turns;
import io.muster.scheduling.problem.Claimant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that wait, pool by pool, in whose order they stand. */
final class Line {
    private static final Comparator<Claimant> PRIVILEGED_ORDER =
            Comparator.comparingInt((Claimant c) -> -c.priority()).thenComparing(Claimant.OLDEST);

    private final Draft draft;
    private final InnerOrder order;
    private final List<List<Claimant>> privileged = new ArrayList<>();
    private final List<List<Claimant>> others = new ArrayList<>();

    Line(Draft draft, Gates gates) {
        this.draft = draft;
        order = new InnerOrder(draft.problem());
        for (int pool = 0; pool < draft.shares().size(); pool++) {
            privileged.add(new ArrayList<>());
            others.add(new ArrayList<>());
        }
        for (var claimant : draft.problem().claimants()) {
            if (gates.backoff(claimant) == null) {
                var line = claimant.facts().acrossTeams() ? privileged : others;
                line.get(claimant.pool()).add(claimant);
            }
        }
        for (int pool = 0; pool < privileged.size(); pool++) {
            keepWithinCaps(privileged.get(pool), others.get(pool));
        }
    }

    /** What a privileged class asks for beyond its cap stands in line like everybody. */
    private void keepWithinCaps(List<Claimant> line, List<Claimant> ordinary) {
        line.sort(PRIVILEGED_ORDER);
        var held = new HashMap<String, Integer>();
        for (var claimant : List.copyOf(line)) {
            var facts = claimant.facts();
            int sum = held.getOrDefault(
                    facts.priorityClass(), draft.holdings().heldByClass(facts.priorityClass(), claimant.pool()));
            if (facts.classCap() != null && sum + claimant.gpus() > facts.classCap()) {
                line.remove(claimant);
                ordinary.add(claimant);
            } else {
                held.put(facts.priorityClass(), sum + claimant.gpus());
            }
        }
    }

    /** The order of each pool as people see it. */
    List<List<Claimant>> places() {
        var orders = new ArrayList<List<Claimant>>();
        for (var shares : draft.shares()) {
            int pool = orders.size();
            int[] allocated = shares.allocations();
            int[] held = draft.held(pool).clone();
            var turns = new Turns(shares, privileged.get(pool), others.get(pool), order, allocated, held, new BitSet());
            orders.add(Places.inOrder(turns, shares.tree(), allocated, held));
        }
        return orders;
    }

    private Turns turns(int pool, PoolShares shares, int[] allocated, int[] held, BitSet blocked) {
        return new Turns(shares, open(privileged.get(pool)), open(others.get(pool)), order, allocated, held, blocked);
    }

    private List<Claimant> open(List<Claimant> line) {
        return line.stream().filter(c -> !draft.isSettled(c)).toList();
    }

    /**
     * Gives every job its turn, in all pools together, the most urgent first. One that finds nothing speaks for all of its
     * kind in this pass, since room only shrinks; what changes in its favour after it shows in the next pass.
     */
    void serve(Desk desk) {
        var blocked = new BitSet();
        var turns = new ArrayList<Turns>();
        for (var shares : draft.shares()) {
            int pool = turns.size();
            turns.add(turns(pool, shares, shares.live(), draft.held(pool), blocked));
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
                block(desk, claimant, blocked);
            }
            next.settle(claimant.leaf());
            for (var touched : draft.drainTouched()) {
                turns.get(touched.pool()).settle(touched.leaf());
            }
            draft.drainSplit().forEach(pool -> turns.get(pool).settleAll());
        }
        desk.allAsked();
        for (var claimant : deferred) {
            if (claimant.kind() < 0 || !(blocked.get(claimant.kind()) || blocked.get(claimant.family()))) {
                consider(desk, claimant);
                block(desk, claimant, blocked);
            }
        }
    }

    /** One that found nothing speaks for its kind. */
    private void block(Desk desk, Claimant claimant, BitSet blocked) {
        if (claimant.kind() >= 0 && !draft.isSettled(claimant)) {
            blocked.set(desk.speaksForFamily(claimant) ? claimant.family() : claimant.kind());
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
