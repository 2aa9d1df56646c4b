package io.muster.scheduling.shape;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.problem.Claimant;
import java.util.BitSet;

/** Who waits for domains of a shape and has not had its turn in this pass: until then nobody else borrows them. */
public final class Asking {
    private final Draft draft;
    private final BitSet waiting = new BitSet();

    public Asking(Draft draft, Gates gates) {
        this.draft = draft;
        if (draft.kept().any()) {
            for (var claimant : draft.problem().claimants()) {
                if (isOfShape(claimant) && gates.backoff(claimant) == null && gates.closed(claimant) == null) {
                    waiting.set(claimant.number());
                }
            }
        }
    }

    private boolean isOfShape(Claimant claimant) {
        for (var owned : draft.kept().shapes()) {
            if (owned.isOf(claimant.leaf(), draft.problem().tree())
                    && owned.domains(claimant.gang(), claimant.facts().topology()) > 0) {
                return true;
            }
        }
        return false;
    }

    /** It has its turn now. */
    public void hasTurn(Claimant claimant) {
        waiting.clear(claimant.number());
    }

    /** All others had their turn. */
    public void end() {
        waiting.clear();
    }

    /** True for a job to which kept domains are closed until those who ask for them had their turn. */
    public boolean isBefore(Claimant claimant) {
        return !waiting.isEmpty()
                && !claimant.facts().acrossTeams()
                && !draft.kept().avoidedBy(claimant.leaf()).isEmpty();
    }
}
