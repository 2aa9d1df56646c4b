package io.muster.scheduling.moves;

import io.muster.model.JobState;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.preemption.Candidate;
import io.muster.scheduling.problem.Occupant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All running jobs that could go on elsewhere, by node, the cheapest first. */
final class Movers {
    private final Draft draft;
    private final Gates gates;
    private final Map<Integer, List<Mover>> onNode = new HashMap<>();

    Movers(Draft draft, Gates gates) {
        this.draft = draft;
        this.gates = gates;
        var problem = draft.problem();
        for (var occupant : problem.occupants()) {
            if (mayMove(occupant)) {
                var candidate = Candidate.of(occupant, 0, problem.settings(), problem.asOf());
                var gang = new Gang(occupant.facts().groups());
                if (candidate.open() && isWhole(occupant, gang)) {
                    add(new Mover(occupant, gang, candidate.cost()));
                }
            }
        }
        onNode.values().forEach(list -> list.sort(Mover.CHEAPEST));
    }

    private void add(Mover mover) {
        for (var spot : mover.occupant().spots()) {
            onNode.computeIfAbsent(spot.node(), n -> new ArrayList<>()).add(mover);
        }
    }

    /** It saves what it did, works, and its team may start jobs; who was backfilled yields anyway. */
    private boolean mayMove(Occupant o) {
        return o.job().state() == JobState.RUNNING
                && !o.job().leaving()
                && !o.job().backfilled()
                && o.facts().preemptible()
                && o.leaf() >= 0
                && o.pool() >= 0
                && (o.job().lastCheckpointAt() != null || o.facts().checkpointEvery() != null)
                && !gates.isPaused(o.leaf());
    }

    /** Every replica is there, on nodes of one partition: it can be placed again as a whole. */
    private boolean isWhole(Occupant o, Gang gang) {
        var fleet = draft.problem().fleet();
        return o.job().placements().size() == gang.replicas()
                && o.gpus() == gang.gpus()
                && o.job().placements().stream().allMatch(p -> fleet.number(p.node()) >= 0)
                && o.spots().stream()
                        .allMatch(s -> fleet.partitionOf(s.node())
                                == fleet.partitionOf(o.spots().getFirst().node()));
    }

    /** Those on {@code node} that were not asked to leave in this cycle, the cheapest first. */
    List<Mover> on(int node) {
        var here = onNode.getOrDefault(node, List.of());
        return here.isEmpty()
                ? here
                : here.stream().filter(m -> !draft.isLeaving(m.occupant())).toList();
    }

    boolean isEmpty() {
        return onNode.isEmpty();
    }
}
