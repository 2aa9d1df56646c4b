package io.muster.scheduling;

import io.muster.model.JobId;
import io.muster.model.ReservationId;
import io.muster.scheduling.backfill.HeadShare;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.ordering.Refused;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.topology.Partition;
import java.time.Duration;
import java.util.BitSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Places on which a job could start now: in its share, delaying no head, in the first partition of its preference. */
final class Openings {
    private final Draft draft;
    private final Gates gates;
    private final Set<JobId> held;
    private final BitSet failures = new BitSet();
    private final int levels;
    private long searches;

    /** {@code held}: jobs that are not backfilled. */
    Openings(Draft draft, Gates gates, Set<JobId> held) {
        this.draft = draft;
        this.gates = gates;
        this.held = held;
        levels = draft.problem().fleet().mostLevels() + 1;
    }

    /** A place that is free now; {@code backfilled}: only for as long as no head needs it. */
    record Opening(Layout layout, boolean backfilled) {}

    /**
     * The place on which the job would start, or null.
     *
     * @param consumes its reservation, which ends with the start, or null
     * @param promised victims left or leave for it, so that it delays no head that it did not before
     */
    @Nullable Opening first(Claimant claimant, @Nullable ReservationId consumes, boolean promised) {
        for (var partition : claimant.options()) {
            var wish = wish(claimant, partition);
            if (wish != null && mayStart(claimant, partition)) {
                var opening = opening(claimant, partition, wish, consumes, promised);
                if (opening != null) {
                    return opening;
                }
            }
        }
        return null;
    }

    /** True when nothing but room keeps the job from the partition. */
    boolean mayStart(Claimant claimant, Partition partition) {
        int pool = partition.pool();
        return !gates.isPaused(partition.poolId())
                && (draft.holdings().mayStart(claimant, pool)
                        || (draft.isPrivileged(claimant, pool)
                                && draft.holdings().isUngated(claimant, pool)));
    }

    /** The level that the job wants now, or null when the partition has none of that name. */
    @Nullable LevelWish wish(Claimant claimant, Partition partition) {
        return LevelWish.of(
                claimant.facts().topology(),
                partition,
                claimant.job().waitingSince(),
                draft.problem().asOf());
    }

    private @Nullable Opening opening(
            Claimant claimant,
            Partition partition,
            LevelWish wish,
            @Nullable ReservationId consumes,
            boolean promised) {
        boolean endsBefore = draft.endsBeforeHeads(claimant, partition.pool());
        // Who has GPUs kept does not exchange them for a place from which it must yield.
        boolean yields = consumes == null
                && !promised
                && claimant.facts().preemptible()
                && isWorthBackfilling(partition.pool())
                && !held.contains(claimant.id());
        boolean takesShare = !promised && HeadShare.isTakenBy(claimant, draft, partition.pool());
        if (!takesShare || endsBefore || yields) {
            var layout = find(claimant, partition, wish, draft.room().strict(), false);
            if (layout != null) {
                return new Opening(layout, takesShare && !endsBefore);
            }
        }
        if (endsBefore || yields) {
            var layout = find(claimant, partition, wish, draft.room().now(), true);
            if (layout != null) {
                return new Opening(layout, !endsBefore);
            }
        }
        return null;
    }

    /** A job that must yield to the head is worth a start only when it gets to run for a while. */
    private boolean isWorthBackfilling(int pool) {
        var first = draft.heads().firstStart(pool);
        var settings = draft.problem().settings();
        return first != null
                && !draft.problem().asOf().plus(settings.minRuntime()).isAfter(first);
    }

    /** A place that {@code plane} shows, or null. */
    @Nullable Layout find(Claimant claimant, Partition partition, LevelWish wish, Plane plane, boolean amongReserved) {
        // Room only shrinks in a cycle: what found none once finds none later, whoever asks.
        int question = question(claimant, partition, wish, amongReserved);
        boolean shared = claimant.excluded() == null;
        if (shared && failures.get(question)) {
            return null;
        }
        searches++;
        var layout = draft.placer().place(claimant.gang(), partition, wish, plane, claimant.excluded());
        if (layout == null && shared) {
            failures.set(question);
        }
        return layout;
    }

    /** One number for all who ask for the same shape in the same place. */
    private int question(Claimant claimant, Partition partition, LevelWish wish, boolean amongReserved) {
        int place = claimant.shape() * draft.problem().fleet().partitions().size() + partition.number();
        return (place * levels + wish.coarsest() + 1) * 2 + (amongReserved ? 1 : 0);
    }

    /**
     * The job found nothing: for whom that is said. Where no walltime would have helped it that is all of its family, else
     * those that run as long, or longer than until the first head starts.
     */
    void refuse(Claimant claimant, Refused refused) {
        if (!held.isEmpty()) {
            refused.kindOf(claimant);
            return;
        }
        var smallest = draft.problem().smallest(claimant);
        long from = 0;
        for (var partition : claimant.options()) {
            if (draft.heads().any(partition.pool())
                    && mayStart(smallest, partition)
                    && walltimeMatters(smallest, partition)) {
                from = Math.max(from, Math.min(claimant.runs(), tooLong(partition.pool())));
            }
        }
        refused.familyOf(claimant, from);
    }

    /** Nanoseconds of the shortest run that lasts beyond the start of the pool's first head. */
    private long tooLong(int pool) {
        var first = draft.heads().firstStart(pool);
        var asOf = draft.problem().asOf();
        long longest = first == null ? -1 : Claimant.nanos(Duration.between(asOf, first));
        return longest == Claimant.FOREVER ? longest : Math.max(0, longest + 1);
    }

    /** A shorter job might start among what is reserved, or be entitled to a move. */
    private boolean walltimeMatters(Claimant claimant, Partition partition) {
        var wish = wish(claimant, partition);
        return wish != null
                && (find(claimant, partition, wish, draft.room().now(), true) != null
                        || HeadShare.isTakenBy(claimant, draft, partition.pool()));
    }

    /** Room came back: what failed may be tried again. */
    void forgetFailures() {
        failures.clear();
    }

    /** How often a place was looked for. */
    long searches() {
        return searches;
    }
}
