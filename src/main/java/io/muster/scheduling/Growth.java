package io.muster.scheduling;

import io.muster.model.JobState;
import io.muster.scheduling.backfill.HeadShare;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.problem.Sizes;
import io.muster.scheduling.topology.Partition;
import java.time.Duration;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Gives elastic jobs that run with fewer replicas than they ask for more of them, once all that wait had their turn.
 *
 * <p>Growing is a save and a new attempt, so it must be worth it: the GPU-seconds that the added GPUs bring until the job's
 * end (by walltime, else as policy assumes) are more than those lost, which are counted as for a victim. It happens at most
 * once per minRuntime and counts as one of the day's preemptions. Nobody with a better claim is passed over: a job grows
 * within what its team deserves, beyond it only while nobody waits for the pool, and never onto what a head has reserved.
 */
final class Growth {
    /** A restart that was not measured yet is thought to take so long. */
    private static final Duration UNKNOWN_RESTART = Duration.ofMinutes(1);

    private static final Comparator<Occupant> ORDER = Comparator.comparingInt(
                    (Occupant o) -> -o.facts().priority())
            .thenComparing(o -> o.facts().submittedAt())
            .thenComparing(Occupant::id);

    private final Draft draft;
    private final Gates gates;

    Growth(Draft draft, Gates gates) {
        this.draft = draft;
        this.gates = gates;
    }

    /** Asks every job whose growth is worth its restart to save, with its larger place kept for it. */
    void grow() {
        if (!gates.preemptionFrozen()) {
            draft.problem().occupants().stream()
                    .filter(this::mayGrow)
                    .sorted(ORDER)
                    .forEach(this::grow);
        }
    }

    private boolean mayGrow(Occupant job) {
        return job.facts().isElastic()
                && job.gpus() < job.facts().gpus()
                && job.job().state() == JobState.RUNNING
                && !job.job().leaving()
                && !job.job().backfilled()
                && !draft.isLeaving(job)
                && job.facts().preemptible()
                && job.pool() >= 0
                && !job.spots().isEmpty()
                && job.isOpen(draft.problem().settings(), draft.problem().asOf());
    }

    private void grow(Occupant job) {
        var whole = draft.problem().returning(job);
        var partition =
                draft.problem().fleet().partitionOf(job.spots().getFirst().node());
        if (whole == null
                || !whole.options().contains(partition)
                || gates.closed(whole) != null
                || gates.isPaused(partition.poolId())) {
            return;
        }
        var found = largest(job, whole, partition);
        if (found != null && isWorthIt(job, found.size.gpus() - job.gpus())) {
            var next = found.size.gang().number(found.layout, draft.problem().fleet());
            draft.resize(job, found.size, next, request(job));
        }
    }

    private record Larger(Claimant size, Layout layout) {}

    /** The largest place there is for it when its own GPUs are free, larger than what it has; the draft stays as it was. */
    private @Nullable Larger largest(Occupant job, Claimant whole, Partition partition) {
        var groups = whole.facts().groups();
        int has = job.job().placements().size();
        int fewest = draft.problem().smallest(whole).gang().replicas();
        draft.holdings().count(job, -1);
        try (var trial = draft.room().trial()) {
            job.spots().forEach(spot -> draft.room().leave(spot.node(), spot.amount()));
            var size = Elastic.largest(
                    draft.problem(),
                    whole,
                    Math.max(0, has + 1 - fewest),
                    Sizes.spare(groups),
                    s -> place(s, partition) != null);
            var layout = size == null ? null : place(size, partition);
            return size == null || layout == null ? null : new Larger(size, layout);
        } finally {
            draft.holdings().count(job, 1);
        }
    }

    private @Nullable Layout place(Claimant size, Partition partition) {
        int pool = partition.pool();
        var standing = draft.standing(size, pool);
        boolean mayHave = standing.gate() == null
                && (standing.within()
                        || (isAlone(pool)
                                && standing.mayStart(draft.shares(pool), size.facts(), size.leaf(), size.gpus())));
        // Where it waits for a preferred level it would not have grown: what it has now is no worse.
        var wish = LevelWish.of(
                size.facts().topology(),
                partition,
                size.job().waitingSince(),
                draft.problem().asOf());
        if (!mayHave || wish == null || HeadShare.isTakenBy(size, draft, pool)) {
            return null;
        }
        var layout = place(size, partition, wish);
        if (layout == null || !draft.kept().isBorrowedBy(size, layout)) {
            return layout;
        }
        var other = place(draft.kept().avoiding(size), partition, wish);
        return other == null ? layout : other;
    }

    private @Nullable Layout place(Claimant size, Partition partition, LevelWish wish) {
        return draft.placer().place(size.gang(), partition, wish, draft.room().futureStrict(), size.excluded());
    }

    /** Nobody waits for GPUs of the pool. */
    private boolean isAlone(int pool) {
        return !draft.problem().isWaitedFor(pool);
    }

    private boolean isWorthIt(Occupant job, int added) {
        var asOf = draft.problem().asOf();
        var end = job.promisedEnd(draft.problem().settings(), asOf);
        long gain = Duration.between(asOf, end).toSeconds() * added;
        return gain > cost(job);
    }

    /** GPU-seconds lost by its restart. */
    private long cost(Occupant job) {
        long seconds = job.secondsAtRisk(draft.problem().asOf());
        boolean known = !job.job().restartTime().isZero();
        return (seconds + (known ? 0 : UNKNOWN_RESTART.toSeconds())) * job.gpus();
    }

    private Decision.RequestCheckpoint request(Occupant job) {
        return new Decision.RequestCheckpoint(
                job.id(), job.job().attempt(), job.id(), Decision.Cause.RESIZE, 0, cost(job), true);
    }
}
