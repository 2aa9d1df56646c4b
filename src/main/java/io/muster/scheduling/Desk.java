package io.muster.scheduling;

import io.muster.model.JobId;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.explain.Verdict;
import io.muster.scheduling.explain.Verdict.Tried;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.topology.Partition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where each job is considered when its turn has come: a start now, a start with victims, a reservation, or a wait. */
final class Desk {
    private final Draft draft;
    private final Gates gates;
    private final Map<JobId, Verdict> verdicts = new HashMap<>();
    private final Set<Failure> failures = new HashSet<>();

    /** Room only shrinks in a cycle: what found none once finds none later, whoever asks. */
    private record Failure(int shape, int partition, int level, boolean amongReserved) {}

    Desk(Draft draft, Gates gates) {
        this.draft = draft;
        this.gates = gates;
    }

    Map<JobId, Verdict> verdicts() {
        return verdicts;
    }

    /** Decides about one job. */
    void consider(Claimant claimant) {
        if (draft.isSettled(claimant.id()) || gates.closed(claimant) != null) {
            return;
        }
        var tried = new ArrayList<Tried>();
        for (var partition : claimant.options()) {
            var standing = draft.standing(claimant, partition.pool());
            var wish = wish(claimant, partition);
            boolean paused = gates.isPaused(partition.poolId());
            if (!paused && wish != null && mayStart(claimant, partition) && startNow(claimant, partition, wish)) {
                return;
            }
            tried.add(new Tried(partition, standing, wish, paused, false));
        }
        verdicts.put(claimant.id(), new Verdict(claimant, tried));
    }

    private boolean mayStart(Claimant claimant, Partition partition) {
        var shares = draft.shares(partition.pool());
        return draft.standing(claimant, partition.pool())
                .mayStart(shares, claimant.facts(), claimant.leaf(), claimant.gpus());
    }

    private @Nullable LevelWish wish(Claimant claimant, Partition partition) {
        return LevelWish.of(
                claimant.facts().topology(),
                partition,
                claimant.job().waitingSince(),
                draft.problem().asOf());
    }

    private boolean startNow(Claimant claimant, Partition partition, LevelWish wish) {
        var room = draft.room();
        var layout = find(claimant, partition, wish, room.strict(), false);
        if (layout != null) {
            draft.start(claimant, layout, false, null);
            return true;
        }
        boolean short_ = draft.endsBeforeHeads(claimant, partition.pool());
        if (draft.heads().any(partition.pool()) && (short_ || claimant.facts().preemptible())) {
            layout = find(claimant, partition, wish, room.now(), true);
            if (layout != null) {
                draft.start(claimant, layout, !short_, null);
                return true;
            }
        }
        return false;
    }

    private @Nullable Layout find(
            Claimant claimant, Partition partition, LevelWish wish, Plane plane, boolean amongReserved) {
        var failure = new Failure(claimant.shape(), partition.number(), wish.coarsest(), amongReserved);
        boolean shared = claimant.excluded() == null;
        if (shared && failures.contains(failure)) {
            return null;
        }
        var layout = draft.placer().place(claimant.gang(), partition, wish, plane, claimant.excluded());
        if (layout == null && shared) {
            failures.add(failure);
        }
        return layout;
    }
}
