package io.muster.scheduling.moves;

import io.muster.model.JobId;
import io.muster.scheduling.backfill.Forecast;
import io.muster.scheduling.backfill.HeadShare;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.topology.Partition;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lets jobs move to make room for a gang within its share, where that costs no more than what else could be done. */
public final class Defragmentation {
    private final Draft draft;
    private final Gates gates;
    private final Set<JobId> held;
    private final Forecast forecast;
    private final Set<Failure> failures = new HashSet<>();
    private @Nullable Movers movers;

    private record Failure(int shape, int partition, int level, int priority) {}

    /** {@code held}: jobs for which nobody is asked in this plan. */
    public Defragmentation(Draft draft, Gates gates, Set<JobId> held) {
        this.draft = draft;
        this.gates = gates;
        this.held = held;
        forecast = new Forecast(draft);
    }

    /**
     * Who moves for {@code claimant}, in the first partition of its preference where that helps; null when nobody does.
     * Asked only when no place is free for it.
     *
     * @param most GPU-seconds that the moves may cost: what taking GPUs from others would
     */
    public @Nullable Moves find(Claimant claimant, long most) {
        boolean none = gates.preemptionFrozen() || claimant.job().imageUnseen();
        if (none || held.contains(claimant.id())) {
            return null;
        }
        for (var partition : claimant.options()) {
            var wish = LevelWish.of(
                    claimant.facts().topology(),
                    partition,
                    claimant.job().waitingSince(),
                    draft.problem().asOf());
            if (wish != null
                    && hasTheGpus(claimant, partition)
                    && isEntitled(claimant, partition)
                    && !movers().isEmpty()) {
                var found = search(claimant, partition, wish);
                if (found != null && found.cost() <= most && found.cost() < waiting(claimant, partition, wish)) {
                    return found;
                }
            }
        }
        return null;
    }

    private boolean isEntitled(Claimant claimant, Partition partition) {
        var standing = draft.standing(claimant, partition.pool());
        return !gates.isPaused(partition.poolId())
                && standing.within()
                && standing.gate() == null
                && (draft.endsBeforeHeads(claimant, partition.pool())
                        || !HeadShare.isTakenBy(claimant, draft, partition.pool()));
    }

    /** Enough GPUs are free in number; only where they lie is in the way. */
    private boolean hasTheGpus(Claimant claimant, Partition partition) {
        return claimant.gpus() > 0 && draft.room().freeStrictly(partition) >= claimant.gpus();
    }

    private @Nullable Moves search(Claimant claimant, Partition partition, LevelWish wish) {
        var failure = new Failure(
                claimant.shape(),
                partition.number(),
                wish.coarsest(),
                claimant.facts().priority());
        boolean shared = claimant.excluded() == null;
        if (shared && failures.contains(failure)) {
            return null;
        }
        // Whoever leaves already may be enough.
        var later = draft.placer()
                .place(claimant.gang(), partition, wish, draft.room().futureStrict(), claimant.excluded());
        var found = later == null ? moves(claimant, partition, wish) : null;
        if (found == null && shared) {
            failures.add(failure);
        }
        return found;
    }

    private @Nullable Moves moves(Claimant claimant, Partition partition, LevelWish wish) {
        var found = new MoveSearch(draft, movers(), false).find(claimant, partition, wish);
        if (found == null || !draft.kept().any()) {
            return found;
        }
        // Whether anybody moves depends on nothing that is kept for shapes, only where to.
        var elsewhere = draft.kept().avoiding(claimant);
        var other = new MoveSearch(draft, movers(), true).find(elsewhere, partition, wish);
        return other == null ? found : other;
    }

    /** GPU-seconds that the gang would idle until the start that is in sight without any move. */
    private long waiting(Claimant claimant, Partition partition, LevelWish wish) {
        var start = forecast.earliest(claimant, partition, wish);
        return start == null
                ? Long.MAX_VALUE
                : Duration.between(draft.problem().asOf(), start.at()).toSeconds() * claimant.gpus();
    }

    private Movers movers() {
        if (movers == null) {
            movers = new Movers(draft, gates);
        }
        return movers;
    }

    /** Room came back: what failed may be tried again. */
    public void forgetFailures() {
        failures.clear();
    }

    /** Asks the movers to save and go, keeps a new place for each, and the place that they leave for the gang. */
    public void carryOut(Claimant claimant, Moves moves) {
        for (var move : moves.moves()) {
            var job = move.occupant().job();
            draft.evict(
                    move.occupant(),
                    new Decision.RequestCheckpoint(
                            job.id(),
                            job.attempt(),
                            claimant.id(),
                            Cause.MOVE,
                            move.occupant().gpus(),
                            move.cost()));
            draft.relocate(move.occupant(), move.gang(), move.to());
        }
        draft.promise(claimant, moves.layout(), moves.jobs());
    }
}
