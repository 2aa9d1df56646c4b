package io.muster.scheduling.moves;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.snapshot.ReservationView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** New places of jobs that move: kept while the job leaves, used as soon as it waits, given up when it cannot be. */
public final class Relocations {
    private final Draft draft;
    private final Gates gates;
    private final List<Arrival> arrivals = new ArrayList<>();

    private record Arrival(Claimant claimant, ReservationView view, Layout layout) {
        int pool() {
            return layout.partition().pool();
        }
    }

    public Relocations(Draft draft, Gates gates) {
        this.draft = draft;
        this.gates = gates;
    }

    /** Puts all in force that can still be used. */
    public void open() {
        var views = draft.problem().snapshot().reservations().stream()
                .filter(r -> r.kind() == ReservationView.Kind.MOVE)
                .sorted(Comparator.comparing(ReservationView::job).thenComparing(ReservationView::id))
                .toList();
        for (var view : views) {
            var claimant = draft.problem().claimant(view.job());
            if (claimant == null) {
                keepForLeaving(view);
            } else {
                keepForWaiting(view, claimant);
            }
        }
    }

    private void keepForLeaving(ReservationView view) {
        var mover = draft.problem().occupants().stream()
                .filter(o -> o.id().equals(view.job()) && o.isLeavingForAnother())
                .findFirst()
                .orElse(null);
        if (mover == null) {
            giveUp(view, "its job does not move any more");
        } else if (mover.leaf() < 0 || mover.pool() != poolOf(view) || !isKnown(view)) {
            giveUp(view, "its nodes or its job changed");
        } else {
            draft.openMove(mover, view);
        }
    }

    private int poolOf(ReservationView view) {
        return draft.problem().fleet().poolNumber(view.pool());
    }

    private boolean isKnown(ReservationView view) {
        var fleet = draft.problem().fleet();
        return view.placements().stream().allMatch(p -> fleet.number(p.node()) >= 0);
    }

    private void keepForWaiting(ReservationView view, Claimant claimant) {
        var layout =
                Layout.of(claimant.gang(), view.placements(), draft.problem().fleet());
        var why = unusable(view, claimant, layout);
        if (layout == null || why != null) {
            giveUp(view, why == null ? "its nodes or its job changed" : why);
        } else {
            draft.openPromise(claimant, view, layout.partition().pool());
            arrivals.add(new Arrival(claimant, view, layout));
        }
    }

    private @Nullable String unusable(ReservationView view, Claimant claimant, @Nullable Layout layout) {
        if (gates.backoff(claimant) != null) {
            return "its job waits after a failure";
        }
        if (view.expiresAt() != null && !draft.problem().asOf().isBefore(view.expiresAt())) {
            return "it expired unused";
        }
        boolean fits = layout != null
                && claimant.options().contains(layout.partition())
                && layout.partition().poolId().equals(view.pool())
                && layout.nodes().stream().noneMatch(n -> isExcluded(claimant, n));
        return fits ? null : "its nodes or its job changed";
    }

    private static boolean isExcluded(Claimant claimant, int node) {
        return claimant.excluded() != null
                && Objects.requireNonNull(claimant.excluded()).get(node);
    }

    private void giveUp(ReservationView view, String why) {
        draft.decide(new Decision.Unreserve(view.job(), view.id(), why));
    }

    /** Those whose pods are gone start at their new places; a job whose place is lost queues like any other. */
    public void start() {
        for (var arrival : arrivals) {
            var claimant = arrival.claimant;
            if (gates.closed(claimant) != null || gates.isPaused(arrival.view.pool())) {
                draft.settle(claimant);
                continue;
            }
            draft.closePromise(claimant, arrival.view, arrival.pool());
            if (draft.standing(claimant, arrival.pool()).gate() != null) {
                giveUp(arrival.view, "its team or user may not hold that much any more");
            } else if (isThere(arrival)) {
                draft.start(claimant, arrival.layout, false, arrival.view.id());
            } else {
                giveUp(arrival.view, "its place is no longer free");
            }
        }
    }

    private boolean isThere(Arrival arrival) {
        var fleet = draft.problem().fleet();
        var now = draft.room().now();
        return Occupant.spots(arrival.view.placements(), fleet).stream()
                .allMatch(s -> fleet.takes(s.node()) && now.fits(s.node(), s.amount()));
    }
}
