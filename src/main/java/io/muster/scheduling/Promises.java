package io.muster.scheduling;

import io.muster.model.JobId;
import io.muster.model.ReplicaPlacement;
import io.muster.scheduling.backfill.Forecast;
import io.muster.scheduling.backfill.Lasting;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.draft.Head;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.moves.Relocations;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.plan.Aftermath;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.snapshot.ReservationView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reservations of earlier cycles: kept where they can be, used as soon as they can be, given up otherwise. */
final class Promises {
    private static final Comparator<Kept> ORDER =
            Comparator.comparing((Kept k) -> k.view.kind()).thenComparing(k -> k.claimant, Claimant.OLDEST);

    private final Draft draft;
    private final Gates gates;
    private final Desk desk;
    private @Nullable Map<JobId, List<Occupant>> leavingFor;

    /** {@code returning}: the job still saves or stops, and is to go on in its place after that. */
    private record Kept(Claimant claimant, ReservationView view, Layout layout, boolean returning) {
        int pool() {
            return layout.partition().pool();
        }
    }

    Promises(Draft draft, Gates gates, Desk desk) {
        this.draft = draft;
        this.gates = gates;
        this.desk = desk;
    }

    /** First all are put in force, then each is used, kept or given up. */
    void keep() {
        var relocations = new Relocations(draft, gates);
        relocations.open();
        var kept = open();
        relocations.start();
        for (var promise : kept) {
            desk.forgetFailures(); // its own room comes back while it is looked at
            try {
                if (promise.returning) {
                    keepReturn(promise);
                } else if (promise.view.kind() == ReservationView.Kind.VICTIMS) {
                    keepVictims(promise);
                } else {
                    keepHead(promise);
                }
            } catch (RuntimeException e) {
                draft.problem().setAside(promise.claimant.id(), e);
            }
        }
        desk.forgetFailures();
    }

    private List<Kept> open() {
        var kept = new ArrayList<Kept>();
        var seen = new HashSet<JobId>();
        var views = new ArrayList<>(draft.problem().snapshot().reservations());
        views.removeIf(v -> v.kind() == ReservationView.Kind.MOVE);
        views.sort(Comparator.comparing(ReservationView::kind).thenComparing(ReservationView::id));
        for (var view : views) {
            var whole = draft.problem().claimant(view.job());
            boolean returning = whole == null;
            whole = returning ? returning(view) : whole;
            var claimant = whole == null ? null : draft.problem().sizedAs(whole, view.placements());
            var layout = claimant == null
                    ? null
                    : Layout.of(
                            claimant.gang(), view.placements(), draft.problem().fleet());
            if (whole == null) {
                giveUp(view, "its job does not wait any more");
            } else if (claimant == null) {
                giveUp(view, "its nodes or its job changed");
            } else if (!seen.add(claimant.id())) {
                giveUp(view, "the job has another");
            } else if (gates.backoff(claimant) != null) {
                giveUp(view, "its job waits after a failure");
            } else if (view.expiresAt() != null && !draft.problem().asOf().isBefore(view.expiresAt())) {
                giveUp(view, "it expired unused");
            } else if (layout == null || !claimant.options().contains(layout.partition())) {
                giveUp(view, "its nodes or its job changed");
            } else {
                var promise = new Kept(claimant, view, layout, returning);
                kept.add(promise);
                putInForce(promise);
            }
        }
        kept.sort(ORDER);
        return kept;
    }

    /** A job that leaves in order to go on with another number of replicas. */
    private @Nullable Claimant returning(ReservationView view) {
        var occupant = draft.problem().occupant(view.job());
        return occupant == null || !occupant.isLeavingForAnother() || view.kind() != ReservationView.Kind.VICTIMS
                ? null
                : draft.problem().returning(occupant);
    }

    private void keepReturn(Kept promise) {
        draft.closePromise(promise.claimant, promise.view, promise.pool());
        if (isThere(promise.layout, false)) {
            draft.openPromise(promise.claimant, promise.view, promise.pool());
        } else {
            giveUp(promise.view, "its place can no longer come free");
        }
    }

    private void putInForce(Kept promise) {
        if (promise.view.kind() == ReservationView.Kind.VICTIMS) {
            draft.openPromise(promise.claimant, promise.view, promise.pool());
        } else {
            draft.heads().add(head(promise));
        }
    }

    private Head head(Kept promise) {
        var startAt = promise.view.startAt() == null ? draft.problem().asOf() : promise.view.startAt();
        var spots = Occupant.spots(promise.view.placements(), draft.problem().fleet());
        return new Head(promise.claimant, promise.pool(), startAt, spots);
    }

    private void giveUp(ReservationView view, String why) {
        draft.decide(new Decision.Unreserve(view.job(), view.id(), why));
    }

    private void keepVictims(Kept promise) {
        var claimant = promise.claimant;
        if (isClosed(promise)) {
            stay(promise);
            return;
        }
        draft.closePromise(claimant, promise.view, promise.pool());
        if (draft.standing(claimant, promise.pool()).gate() != null) {
            giveUp(promise.view, "its team or user may not hold that much any more");
            return;
        }
        if (isThere(promise.layout, true)) {
            desk.startPromised(claimant, promise.layout, promise.view.id());
        } else if (desk.startNow(claimant, promise.view.id(), true)) {
            return;
        } else if (isThere(promise.layout, false)) {
            draft.openPromise(claimant, promise.view, promise.pool());
            stay(promise);
        } else {
            giveUp(promise.view, "its place can no longer come free");
        }
    }

    /** The promise stays as it is, and its job does not queue. */
    private void stay(Kept promise) {
        draft.settle(promise.claimant);
        if (promise.view.kind() == ReservationView.Kind.HEAD) {
            desk.verdicts().blocked(promise.claimant, promise.view.startAt());
            return;
        }
        var victims = leavingFor().getOrDefault(promise.claimant.id(), List.of());
        var latest = victims.stream()
                .map(o -> o.goneBy(draft.problem().asOf()))
                .max(Comparator.naturalOrder())
                .orElse(null);
        desk.verdicts()
                .promised(
                        promise.claimant,
                        promise.layout.partition(),
                        victims.stream().map(Occupant::id).toList(),
                        latest);
    }

    /** Who leaves for whom, looked up once. */
    private Map<JobId, List<Occupant>> leavingFor() {
        if (leavingFor == null) {
            leavingFor = new HashMap<>();
            for (var occupant : draft.problem().occupants()) {
                var beneficiary = occupant.job().leavingFor();
                if (occupant.job().leaving() && beneficiary != null) {
                    leavingFor
                            .computeIfAbsent(beneficiary, b -> new ArrayList<>())
                            .add(occupant);
                }
            }
        }
        return leavingFor;
    }

    private boolean isClosed(Kept promise) {
        return gates.closed(promise.claimant) != null
                || gates.isPaused(promise.layout.partition().poolId());
    }

    /** True when the place is free {@code now}, or else will be once all that leave are gone. */
    private boolean isThere(Layout layout, boolean now) {
        var plane = now ? draft.room().now() : draft.room().future();
        return Occupant.spots(placements(layout), draft.problem().fleet()).stream()
                .allMatch(s -> draft.problem().fleet().takes(s.node()) && plane.fits(s.node(), s.amount()));
    }

    private List<ReplicaPlacement> placements(Layout layout) {
        var fleet = draft.problem().fleet();
        var placements = new ArrayList<ReplicaPlacement>();
        for (var spot : layout.spots()) {
            placements.add(new ReplicaPlacement("", 0, fleet.node(spot.node()).id(), spot.amount()));
        }
        return placements;
    }

    private void keepHead(Kept promise) {
        var claimant = promise.claimant;
        if (isClosed(promise)) {
            stay(promise);
            return;
        }
        var head = Objects.requireNonNull(draft.heads().remove(claimant));
        if (desk.openings().mayStart(claimant, promise.layout.partition()) && isThere(promise.layout, true)) {
            desk.startPromised(claimant, promise.layout, promise.view.id());
        } else if (!desk.startNow(claimant, promise.view.id(), false) && !desk.startWithVictims(claimant, true)) {
            keepOrMove(promise, head);
        }
    }

    /** Sticky while it can be met, unless the job can go as soon as those that leave already are gone. */
    private void keepOrMove(Kept promise, Head head) {
        var asOf = draft.problem().asOf();
        boolean atOnce = desk.headStarts().isAtOnce(promise.claimant);
        draft.heads().add(head);
        if (!atOnce && head.startAt().isAfter(asOf) && draft.heads().isMet(head)) {
            stay(promise);
            return;
        }
        draft.heads().remove(promise.claimant);
        var start = desk.headStarts().earliest(promise.claimant);
        if (start == null) {
            stayOrGiveUp(promise, head);
        } else if ((atOnce && isThere(promise.layout, false)) || isSame(promise, head, start)) {
            draft.heads().add(new Head(head.claimant(), head.pool(), start.at(), head.spots()));
            stay(promise);
        } else {
            desk.headStarts().reserve(promise.claimant, start);
            desk.verdicts().blocked(promise.claimant, start.at());
        }
    }

    /** What comes and goes with others' demand ends no reservation, only what the job can never be given again. */
    private void stayOrGiveUp(Kept promise, Head head) {
        if (!Lasting.isHoldable(draft, promise.claimant)) {
            giveUp(promise.view, "no open nodes could hold it any more");
        } else if (!Lasting.isPromised(draft, promise.claimant)) {
            giveUp(promise.view, "its team may not hold so much any more");
        } else if (Aftermath.isOfThisPlan(promise.view.id())) {
            giveUp(promise.view, "a claim within its guarantee took its place");
        } else {
            draft.heads().add(head);
            draft.settle(promise.claimant);
            desk.verdicts().blocked(promise.claimant, null);
        }
    }

    private boolean isSame(Kept promise, Head head, Forecast.Start start) {
        var fleet = draft.problem().fleet();
        var placements = promise.claimant.gang().number(start.layout(), fleet);
        var asOf = draft.problem().asOf();
        boolean bothAtOnce = !start.at().isAfter(asOf) && !head.startAt().isAfter(asOf);
        return (bothAtOnce || start.at().equals(head.startAt()))
                && Occupant.spots(placements, fleet).equals(Occupant.spots(promise.view.placements(), fleet));
    }
}
