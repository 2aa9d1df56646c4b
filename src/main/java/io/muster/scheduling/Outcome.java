package io.muster.scheduling;

import io.muster.model.JobId;
import io.muster.model.ReservationId;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.ReservationView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the passes of one plan come to, taken together: nothing is decided first and taken back after. */
final class Outcome {
    private final ClusterSnapshot snapshot;
    private final List<Decision> decisions = new ArrayList<>();
    private final Set<JobId> hasty = new HashSet<>();

    Outcome(ClusterSnapshot snapshot) {
        this(snapshot, List.of());
    }

    private Outcome(ClusterSnapshot snapshot, List<Decision> decisions) {
        this.snapshot = snapshot;
        this.decisions.addAll(decisions);
    }

    /** This and what was decided after it; the two stay as they are. */
    Outcome then(Outcome later) {
        var both = new Outcome(snapshot, decisions);
        both.hasty.addAll(hasty);
        both.add(later.decisions);
        return both;
    }

    List<Decision> decisions() {
        return decisions;
    }

    /** Jobs that one pass backfilled and a later one took back, or that were given victims and then needed none. */
    Set<JobId> hasty() {
        return hasty;
    }

    /** Adds what a later pass decided in the world that this outcome left to it. */
    void add(List<Decision> later) {
        later.forEach(this::add);
    }

    private void add(Decision decision) {
        switch (decision) {
            case Decision.Start start -> start(start);
            case Decision.Reserve reserve -> reserve(reserve);
            case Decision.Unreserve unreserve -> unreserve(unreserve);
            case Decision.RequestCheckpoint request -> request(request);
            case Decision.Stop stop -> decisions.add(stop);
        }
    }

    /** Whoever starts has nothing reserved any more. */
    private void start(Decision.Start start) {
        var reserved = find(d -> d instanceof Decision.Reserve && d.job().equals(start.job()));
        if (reserved < 0) {
            decisions.add(start);
            return;
        }
        if (decisions.remove(reserved) instanceof Decision.Reserve r && r.kind() == Decision.Reserve.Kind.VICTIMS) {
            hasty.add(start.job());
        }
        decisions.add(consuming(start, ownReservation(start.job())));
    }

    private static boolean isFor(JobId beneficiary, Decision decision) {
        return decision instanceof Decision.RequestCheckpoint r
                && r.beneficiary().equals(beneficiary);
    }

    private static Decision.Start consuming(Decision.Start s, @Nullable ReservationId own) {
        return new Decision.Start(
                s.job(), s.pool(), s.gpuType(), s.placements(), s.level(), s.domain(), s.backfilled(), own);
    }

    private void reserve(Decision.Reserve reserve) {
        removeReserve(reserve.job());
        var victims = reserve.victims().stream()
                .filter(v -> find(d -> d instanceof Decision.RequestCheckpoint r
                                && r.job().equals(v))
                        >= 0)
                .toList();
        decisions.add(new Decision.Reserve(
                reserve.job(), reserve.pool(), reserve.kind(), reserve.placements(), reserve.startAt(), victims));
    }

    private void unreserve(Decision.Unreserve unreserve) {
        if (!removeReserve(unreserve.job())) {
            decisions.add(unreserve);
            return;
        }
        decisions.removeIf(d -> isFor(unreserve.job(), d));
        var own = ownReservation(unreserve.job());
        if (own != null) {
            decisions.add(new Decision.Unreserve(unreserve.job(), own, unreserve.why()));
        }
    }

    /** Who was only just started does not start at all. */
    private void request(Decision.RequestCheckpoint request) {
        int started = find(d -> d instanceof Decision.Start && d.job().equals(request.job()));
        if (started >= 0) {
            decisions.remove(started);
            hasty.add(request.job());
        } else {
            decisions.add(request);
        }
    }

    private boolean removeReserve(JobId job) {
        return decisions.removeIf(d -> d instanceof Decision.Reserve && d.job().equals(job));
    }

    private int find(Predicate<Decision> what) {
        for (int i = 0; i < decisions.size(); i++) {
            if (what.test(decisions.get(i))) {
                return i;
            }
        }
        return -1;
    }

    /** What the job had reserved before this plan, if that is still in force. */
    private @Nullable ReservationId ownReservation(JobId job) {
        return snapshot.reservations().stream()
                .filter(r -> r.job().equals(job))
                .map(ReservationView::id)
                .filter(id -> find(d -> d instanceof Decision.Unreserve u
                                && u.reservation().equals(id))
                        < 0)
                .findFirst()
                .orElse(null);
    }
}
