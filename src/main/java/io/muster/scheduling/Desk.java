package io.muster.scheduling;

import io.muster.model.JobId;
import io.muster.model.ReservationId;
import io.muster.scheduling.backfill.Forecast;
import io.muster.scheduling.backfill.OwnTurns;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.moves.Defragmentation;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.preemption.Taken;
import io.muster.scheduling.preemption.VictimSearch;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.shape.Asking;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where each job is considered when its turn has come: a start now, a start with victims, a reservation, or a wait. */
final class Desk {
    private final Draft draft;
    private final Gates gates;
    private final Eviction eviction;
    private final Defragmentation defragmentation;
    private final Openings openings;
    private final Takings takings;
    private final HeadStarts headStarts;
    private final Elastic elastic;
    private final Reseating reseating;
    private final Asking asking;
    private final Verdicts verdicts;
    private long considered;

    Desk(Draft draft, Gates gates, Set<JobId> held) {
        this.draft = draft;
        this.gates = gates;
        eviction = new Eviction(draft, gates);
        defragmentation = new Defragmentation(draft, gates, held);
        openings = new Openings(draft, gates, held);
        takings = new Takings(draft, gates, held, openings, eviction);
        headStarts = new HeadStarts(draft, gates, openings);
        verdicts = new Verdicts(draft.problem().asOf());
        elastic = new Elastic(draft, this);
        reseating = new Reseating(draft);
        asking = new Asking(draft, gates);
    }

    Verdicts verdicts() {
        return verdicts;
    }

    Openings openings() {
        return openings;
    }

    Takings takings() {
        return takings;
    }

    HeadStarts headStarts() {
        return headStarts;
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
        var opening = elsewhere(claimant, elsewhere, openings.first(claimant, consumes, promised), consumes, promised);
        boolean borrows = opening != null && draft.kept().isBorrowedBy(claimant, opening.layout());
        if (plain && (opening == null || (borrows && asking.isBefore(claimant)))) {
            opening = reseated(elsewhere);
            borrows = false;
        }
        if (opening == null) {
            return false;
        }
        draft.start(claimant, opening.layout(), opening.backfilled(), consumes);
        if (plain && !opening.backfilled() && !borrows) {
            reseating.note(elsewhere);
        }
        return true;
    }

    /** A place that is as good where nothing is kept for others, or else the one that was found. */
    private Openings.@Nullable Opening elsewhere(
            Claimant claimant,
            Claimant elsewhere,
            Openings.@Nullable Opening found,
            @Nullable ReservationId consumes,
            boolean promised) {
        if (found == null || !draft.kept().isBorrowedBy(claimant, found.layout())) {
            return found;
        }
        var other = openings.first(elsewhere, consumes, promised);
        // GPUs that are kept for a shape are lent for longer than those that a head waits for.
        return other == null || (other.backfilled() && !found.backfilled()) ? found : other;
    }

    /** A place that starts of this pass have left for others. */
    private Openings.@Nullable Opening reseated(Claimant claimant) {
        for (var partition : claimant.options()) {
            var wish = openings.wish(claimant, partition);
            var layout = wish == null || !openings.mayStart(claimant, partition)
                    ? null
                    : reseating.makeRoom(claimant, partition, wish);
            if (layout != null) {
                return new Openings.Opening(layout, false);
            }
        }
        return null;
    }

    Effort effort() {
        return new Effort(considered, openings.searches(), eviction.searches());
    }

    /** Room came back (a promise was taken back): what failed may be tried again. */
    void forgetFailures() {
        openings.forgetFailures();
        eviction.forgetFailures();
        defragmentation.forgetFailures();
    }

    /** Asks others to move, or else to leave, and keeps their GPUs for the job. */
    boolean startWithVictims(Claimant claimant, boolean ownsReservation) {
        var found = takings.reclaimed(claimant, ownsReservation);
        var moves = defragmentation.find(claimant, found == null ? Long.MAX_VALUE : found.cost());
        if (moves != null) {
            defragmentation.carryOut(claimant, moves);
            verdicts.promised(claimant, moves.layout().partition(), moves.jobs(), moves.occupants());
            return true;
        }
        return carryOut(claimant, found == null ? takings.inShape(claimant) : found);
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
            verdicts.promised(claimant, found.layout().partition(), victims, occupants);
        }
        return true;
    }

    /** The first job of a pool that fits its team's share, but not the machine yet, has its start reserved. */
    private void reserveHead(Claimant claimant) {
        int depth = draft.problem().settings().reservationDepth();
        Instant startAt = null;
        if (draft.heads().count(claimant.pool()) < depth && !OwnTurns.suffice(draft, claimant)) {
            var head = headStarts.earliest(claimant);
            if (head != null && takesBackBackfilled(claimant, head)) {
                return;
            }
            if (head != null) {
                headStarts.reserve(claimant, head);
                startAt = head.at();
            }
        }
        verdicts.blocked(claimant, startAt);
    }

    /** A head that only backfilled jobs keep from its start takes their room back at once. */
    private boolean takesBackBackfilled(Claimant claimant, Forecast.Start head) {
        return !head.at().isAfter(draft.problem().asOf()) && startWithVictims(claimant, true);
    }
}
