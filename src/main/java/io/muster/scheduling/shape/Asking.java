package io.muster.scheduling.shape;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.problem.Claimant;
import java.util.BitSet;
import java.util.List;

/** Who waits for domains of a shape and has not had its turn in this pass: until then nobody else borrows them. */
public final class Asking {
    private final Draft draft;
    private final BitSet waiting = new BitSet();

    public Asking(Draft draft, Gates gates) {
        this.draft = draft;
        if (draft.kept().any()) {
            for (int leaf = 0; leaf < draft.problem().tree().size(); leaf++) {
                if (isOfOwner(leaf) && !gates.isPaused(leaf) && !gates.allClosed()) {
                    addAll(leaf);
                }
            }
        }
    }

    private boolean isOfOwner(int leaf) {
        return draft.kept().shapes().stream()
                .anyMatch(owned -> owned.isOf(leaf, draft.problem().tree()));
    }

    /** Only teams with shapes are looked at, and of equal jobs only one. */
    private void addAll(int leaf) {
        var queues = draft.problem().queues();
        for (int pool = 0; pool < draft.shares().size(); pool++) {
            var line = queues.team(pool, leaf);
            if (line != null) {
                line.bands()
                        .forEach(band ->
                                band.users().forEach(user -> user.families().forEach(this::addFamily)));
            }
            for (var privileged : queues.privileged(pool)) {
                if (privileged.leaf() == leaf) {
                    addFamily(List.of(privileged));
                }
            }
        }
    }

    private void addFamily(List<Claimant> jobs) {
        boolean alike = jobs.getFirst().family() >= 0;
        boolean first = isOfShape(jobs.getFirst());
        for (var job : jobs) {
            boolean asks = alike ? first : isOfShape(job);
            if (asks && !draft.problem().gone().get(job.number())) {
                waiting.set(job.number());
            } else if (alike && !asks) {
                return;
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
