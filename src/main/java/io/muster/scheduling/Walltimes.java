package io.muster.scheduling;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.problem.Occupant;

/** Stops jobs whose walltime is used up, unless people said that what runs goes on running. */
final class Walltimes {
    private final Draft draft;
    private final Gates gates;

    Walltimes(Draft draft, Gates gates) {
        this.draft = draft;
        this.gates = gates;
    }

    void stopOverdue() {
        if (!gates.isSafe()) {
            draft.problem().occupants().stream().filter(this::isOverdue).forEach(draft::stop);
        }
    }

    private boolean isOverdue(Occupant occupant) {
        var walltime = occupant.facts().walltime();
        var since = occupant.job().runningSince();
        return walltime != null
                && since != null
                && !occupant.job().leaving()
                && !draft.problem().asOf().isBefore(since.plus(walltime));
    }
}
