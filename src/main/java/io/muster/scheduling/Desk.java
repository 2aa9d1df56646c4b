package io.muster.scheduling;

import io.muster.model.JobId;
import io.muster.model.Reason;
import io.muster.model.ReservationId;
import io.muster.scheduling.backfill.Forecast;
import io.muster.scheduling.backfill.HeadShare;
import io.muster.scheduling.backfill.OwnTurns;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.draft.Head;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.explain.Verdict;
import io.muster.scheduling.fairshare.Standing;
import io.muster.scheduling.moves.Defragmentation;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.LevelWish;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.preemption.Taken;
import io.muster.scheduling.preemption.VictimSearch;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.shape.Asking;
import io.muster.scheduling.topology.Partition;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where each job is considered when its turn has come: a start now, a start with victims, a reservation, or a wait. */
final class Desk {
    private final Draft draft;
    private final Gates gates;
    private final Set<JobId> held;
    private final Eviction eviction;
    private final Defragmentation defragmentation;
    private final Forecast forecast;
    private final Elastic elastic;
    private final Reseating reseating;
    private final Asking asking;
    private final Map<JobId, Verdict> verdicts = new HashMap<>();
    private final BitSet failures = new BitSet();
    private final int levels;
    private long considered;
    private long searches;

    Desk(Draft draft, Gates gates, Set<JobId> held) {
        this.draft = draft;
        this.gates = gates;
        this.held = held;
        eviction = new Eviction(draft, gates);
        defragmentation = new Defragmentation(draft, gates, held);
        forecast = new Forecast(draft);
        levels = draft.problem().fleet().mostLevels() + 1;
        elastic = new Elastic(draft, this);
        reseating = new Reseating(draft);
        asking = new Asking(draft, gates);
    }

    Map<JobId, Verdict> verdicts() {
        return verdicts;
    }

    /**
     * Decides about one job whose turn it is.
     *
     * @return false when it is to have another after those who ask for domains that are kept for them
     */
    boolean consider(Claimant claimant) {
        asking.hasTurn(claimant);
        if (draft.isSettled(claimant) || gates.closed(claimant) != null) {
            return true;
        }
        considered++;
        if (startNow(claimant)) {
            return true;
        }
        if (asking.isBefore(claimant)) {
            return false;
        }
        if (elastic.startSmaller(claimant) || elastic.startWithVictims(claimant)) {
            return true;
        }
        var smallest = draft.problem().smallest(claimant);
        if (!startWithVictims(smallest, false)) {
            reserveHead(smallest);
        }
        return true;
    }

    /** Whoever asked for domains that are kept for it had its turn. */
    void allAsked() {
        asking.end();
    }

    /** Starts the job on the GPUs that were kept for it, or with more replicas if there is room for them. */
    void startPromised(Claimant claimant, Layout promised, ReservationId consumes) {
        if (!elastic.startLarger(claimant, consumes)) {
            draft.start(claimant, promised, false, consumes);
        }
    }

    /** True when no walltime would have helped the job, which found nothing, nor will help another of its family. */
    boolean speaksForFamily(Claimant claimant) {
        for (var partition : claimant.options()) {
            if (draft.heads().any(partition.pool())
                    && mayStart(claimant, partition)
                    && walltimeMatters(claimant, partition)) {
                return false;
            }
        }
        return held.isEmpty();
    }

    /** A shorter job might start among what is reserved, or be entitled to a move. */
    private boolean walltimeMatters(Claimant claimant, Partition partition) {
        var wish = wish(claimant, partition);
        return wish != null
                && (find(claimant, partition, wish, draft.room().now(), true) != null
                        || HeadShare.isTakenBy(claimant, draft, partition.pool()));
    }

    /** Starts the job on GPUs that are free, in the first partition of its preference that has a place. */
    boolean startNow(Claimant claimant) {
        return startNow(claimant, null, false);
    }

    /**
     * The same for a job that owns something.
     *
     * @param consumes its reservation, which ends with the start, or null
     * @param promised victims left or leave for it, so that it delays no head that it did not before
     */
    boolean startNow(Claimant claimant, @Nullable ReservationId consumes, boolean promised) {
        boolean plain = consumes == null && !promised;
        var elsewhere = draft.kept().avoiding(claimant);
        var opening = elsewhere(claimant, elsewhere, opening(claimant, consumes, promised), consumes, promised);
        boolean borrows = opening != null && draft.kept().isBorrowedBy(claimant, opening.layout);
        if (plain && (opening == null || (borrows && asking.isBefore(claimant)))) {
            opening = reseated(elsewhere);
            borrows = false;
        }
        if (opening == null) {
            return false;
        }
        draft.start(claimant, opening.layout, opening.backfilled, consumes);
        if (plain && !opening.backfilled && !borrows) {
            reseating.note(elsewhere);
        }
        return true;
    }

    /** A place that is as good where nothing is kept for others, or else the one that was found. */
    private @Nullable Opening elsewhere(
            Claimant claimant,
            Claimant elsewhere,
            @Nullable Opening found,
            @Nullable ReservationId consumes,
            boolean promised) {
        if (found == null || !draft.kept().isBorrowedBy(claimant, found.layout)) {
            return found;
        }
        var other = opening(elsewhere, consumes, promised);
        // GPUs that are kept for a shape are lent for longer than those that a head waits for.
        return other == null || (other.backfilled && !found.backfilled) ? found : other;
    }

    /** A place that starts of this pass have left for others. */
    private @Nullable Opening reseated(Claimant claimant) {
        for (var partition : claimant.options()) {
            var wish = wish(claimant, partition);
            var layout = wish == null || !mayStart(claimant, partition)
                    ? null
                    : reseating.makeRoom(claimant, partition, wish);
            if (layout != null) {
                return new Opening(layout, false);
            }
        }
        return null;
    }

    /** A place that is free now; {@code backfilled}: only for as long as no head needs it. */
    record Opening(Layout layout, boolean backfilled) {}

    /** The place on which {@link #startNow} would start the job, or null. */
    @Nullable Opening opening(Claimant claimant, @Nullable ReservationId consumes, boolean promised) {
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

    boolean mayStart(Claimant claimant, Partition partition) {
        int pool = partition.pool();
        return !gates.isPaused(partition.poolId())
                && (draft.holdings().mayStart(claimant, pool)
                        || (draft.isPrivileged(claimant, pool)
                                && draft.holdings().isUngated(claimant, pool)));
    }

    private @Nullable LevelWish wish(Claimant claimant, Partition partition) {
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

    private @Nullable Layout find(
            Claimant claimant, Partition partition, LevelWish wish, Plane plane, boolean amongReserved) {
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

    Effort effort() {
        return new Effort(considered, searches, eviction.searches());
    }

    /** Room came back (a promise was taken back): what failed may be tried again. */
    void forgetFailures() {
        failures.clear();
        eviction.forgetFailures();
        defragmentation.forgetFailures();
    }

    /** Asks others to move, or else to leave, and keeps their GPUs for the job. */
    boolean startWithVictims(Claimant claimant, boolean ownsReservation) {
        var found = reclaimed(claimant, ownsReservation);
        var moves = defragmentation.find(claimant, found == null ? Long.MAX_VALUE : found.cost());
        if (moves != null) {
            defragmentation.carryOut(claimant, moves);
            promised(claimant, moves.layout().partition(), moves.jobs(), latestGrace(moves.occupants()));
            return true;
        }
        return carryOut(claimant, found == null ? inShape(claimant) : found);
    }

    private boolean carryOut(Claimant claimant, VictimSearch.@Nullable Found found) {
        if (found == null) {
            return false;
        }
        eviction.ask(claimant, found);
        if (found.atOnce()) {
            draft.start(claimant, found.layout(), false, null);
        } else {
            var victims = found.victims().stream().map(t -> t.occupant().id()).toList();
            draft.promise(claimant, found.layout(), victims);
            var occupants = found.victims().stream().map(Taken::occupant).toList();
            promised(claimant, found.layout().partition(), victims, latestGrace(occupants));
        }
        return true;
    }

    /** Whom {@link #startWithVictims} would ask, in the first partition of the job's preference where that helps. */
    VictimSearch.@Nullable Found victims(Claimant claimant, boolean ownsReservation) {
        var found = reclaimed(claimant, ownsReservation);
        return found == null ? inShape(claimant) : found;
    }

    private VictimSearch.@Nullable Found reclaimed(Claimant claimant, boolean ownsReservation) {
        return elsewhere(claimant, c -> reclaimedIn(c, ownsReservation));
    }

    /** Domains of a shape of the job's team, when no share and no move makes a place for it. */
    private VictimSearch.@Nullable Found inShape(Claimant claimant) {
        return draft.kept().any() ? elsewhere(claimant, this::inShapeOf) : null;
    }

    /** What is found, where nothing is kept for others if that can be; whether anything is depends on nothing kept. */
    private VictimSearch.@Nullable Found elsewhere(
            Claimant claimant, Function<Claimant, VictimSearch.@Nullable Found> search) {
        var found = search.apply(claimant);
        if (found == null || !draft.kept().isBorrowedBy(claimant, found.layout())) {
            return found;
        }
        var other = search.apply(draft.kept().avoiding(claimant));
        return other == null ? found : other;
    }

    private VictimSearch.@Nullable Found inShapeOf(Claimant claimant) {
        if (isBarred(claimant)) {
            return null;
        }
        for (var partition : claimant.options()) {
            var wish = wish(claimant, partition);
            if (wish != null && !gates.isPaused(partition.poolId())) {
                var found = eviction.findInShape(claimant, partition, wish);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** Nobody may be asked to yield to it. */
    private boolean isBarred(Claimant claimant) {
        boolean none = gates.preemptionFrozen() || claimant.job().imageUnseen();
        return none || held.contains(claimant.id());
    }

    private VictimSearch.@Nullable Found reclaimedIn(Claimant claimant, boolean ownsReservation) {
        if (isBarred(claimant)) {
            return null;
        }
        for (var partition : claimant.options()) {
            var wish = wish(claimant, partition);
            if (wish != null && !gates.isPaused(partition.poolId())) {
                var free = mayStart(claimant, partition)
                        ? null
                        : find(claimant, partition, wish, draft.room().strict(), false);
                var found = free == null
                        ? eviction.find(claimant, partition, wish, ownsReservation)
                        : eviction.findShare(claimant, free, ownsReservation);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    private Instant latestGrace(List<Occupant> leaving) {
        var asOf = draft.problem().asOf();
        return leaving.stream()
                .map(o -> asOf.plus(o.facts().grace()))
                .max(Instant::compareTo)
                .orElse(asOf);
    }

    /** Notes that the job waits for victims. */
    void promised(Claimant claimant, Partition partition, List<JobId> victims, @Nullable Instant latest) {
        var reason = new Reason.WaitingForVictims(partition.poolId(), victims, claimant.gpus(), latest);
        verdicts.put(claimant.id(), new Verdict(reason, latest));
    }

    /** The first job of a pool that fits its team's share, but not the machine yet, has its start reserved. */
    private void reserveHead(Claimant claimant) {
        int depth = draft.problem().settings().reservationDepth();
        Instant startAt = null;
        if (draft.heads().count(claimant.pool()) < depth && !OwnTurns.suffice(draft, claimant)) {
            var head = earliestHead(claimant);
            if (head != null && takesBackBackfilled(claimant, head)) {
                return;
            }
            if (head != null) {
                reserve(claimant, head);
                startAt = head.at();
            }
        }
        blocked(claimant, startAt);
    }

    /** A head that only backfilled jobs keep from its start takes their room back at once. */
    private boolean takesBackBackfilled(Claimant claimant, Forecast.Start head) {
        return !head.at().isAfter(draft.problem().asOf()) && startWithVictims(claimant, true);
    }

    /** Notes that the job's start is reserved for then; null: it only waits. */
    void blocked(Claimant claimant, @Nullable Instant startAt) {
        if (startAt == null) {
            verdicts.remove(claimant.id());
        } else {
            verdicts.put(claimant.id(), new Verdict(null, startAt));
        }
    }

    /** The earliest start in sight in the pool in whose order the job stands. */
    Forecast.@Nullable Start earliestHead(Claimant claimant) {
        Forecast.Start best = null;
        for (var partition : claimant.options()) {
            var wish = wish(claimant, partition);
            boolean fitsShare = Standing.couldFit(
                    draft.shares(partition.pool()), claimant.facts(), claimant.leaf(), claimant.gpus());
            if (partition.pool() != claimant.pool()
                    || wish == null
                    || !fitsShare
                    || gates.isPaused(partition.poolId())) {
                continue;
            }
            var start = forecast.earliest(claimant, partition, wish);
            if (start != null && (best == null || start.at().isBefore(best.at()))) {
                best = start;
            }
        }
        return best;
    }

    /** Reserves a start to come. */
    void reserve(Claimant claimant, Forecast.Start start) {
        var placements = claimant.gang().number(start.layout(), draft.problem().fleet());
        var spots = Occupant.spots(placements, draft.problem().fleet());
        var partition = start.layout().partition();
        draft.heads().add(new Head(claimant, partition.pool(), start.at(), spots));
        draft.decide(new Decision.Reserve(
                claimant.id(), partition.poolId(), Decision.Reserve.Kind.HEAD, placements, start.at(), List.of()));
        draft.settle(claimant);
    }
}
