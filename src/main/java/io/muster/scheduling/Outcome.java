package io.muster.scheduling;

import io.muster.model.JobId;
import io.muster.model.ReservationId;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.ReservationView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the passes of one plan come to, taken together: nothing is decided first and taken back after. */
final class Outcome {
    private final ClusterSnapshot snapshot;
    private final List<Decision> decisions = new ArrayList<>();
    private final Map<JobId, Decision.Reserve> reserves = new HashMap<>();
    private final Set<JobId> starts = new HashSet<>();
    private final Set<ReservationId> ended = new HashSet<>();
    private final Set<JobId> hasty = new HashSet<>();

    Outcome(ClusterSnapshot snapshot) {
        this.snapshot = snapshot;
    }

    /** This and what was decided after it; the two stay as they are. */
    Outcome then(Outcome later) {
        var both = new Outcome(snapshot);
        both.add(decisions);
        both.add(later.decisions);
        return both;
    }

    List<Decision> decisions() {
        return decisions;
    }

    /**
     * Jobs that one pass backfilled and a later one took back, or that were given victims and then needed none. With any,
     * this is no plan.
     */
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
        starts.add(start.job());
        var reserve = removeReserve(start.job());
        if (reserve == null) {
            decisions.add(start);
            return;
        }
        if (reserve.kind() == Decision.Reserve.Kind.VICTIMS) {
            hasty.add(start.job());
        }
        decisions.add(consuming(start, ownReservation(start.job())));
    }

    private static Decision.Start consuming(Decision.Start s, @Nullable ReservationId own) {
        return new Decision.Start(
                s.job(), s.pool(), s.gpuType(), s.placements(), s.level(), s.domain(), s.backfilled(), own);
    }

    private void reserve(Decision.Reserve reserve) {
        removeReserve(reserve.job());
        reserves.put(reserve.job(), reserve);
        decisions.add(reserve);
    }

    private void unreserve(Decision.Unreserve unreserve) {
        if (removeReserve(unreserve.job()) == null) {
            ended.add(unreserve.reservation());
            decisions.add(unreserve);
            return;
        }
        takeBackRequests(unreserve.job());
        var own = ownReservation(unreserve.job());
        if (own != null) {
            ended.add(own);
            decisions.add(new Decision.Unreserve(unreserve.job(), own, unreserve.why()));
        }
    }

    /** Nobody leaves for {@code beneficiary} any more, and who was to move for it stays where it is. */
    private void takeBackRequests(JobId beneficiary) {
        var asked = decisions.stream()
                .filter(d -> d instanceof Decision.RequestCheckpoint r
                        && r.beneficiary().equals(beneficiary))
                .toList();
        decisions.removeAll(asked);
        asked.forEach(d -> removeReserve(d.job()));
    }

    /** Who was only just started should not have been. */
    private void request(Decision.RequestCheckpoint request) {
        if (starts.contains(request.job())) {
            hasty.add(request.job());
        }
        decisions.add(request);
    }

    private Decision.@Nullable Reserve removeReserve(JobId job) {
        var reserve = reserves.remove(job);
        if (reserve != null) {
            decisions.remove(reserve);
        }
        return reserve;
    }

    /** What the job had reserved before this plan, if that is still in force. */
    private @Nullable ReservationId ownReservation(JobId job) {
        return snapshot.reservations().stream()
                .filter(r -> r.job().equals(job))
                .map(ReservationView::id)
                .filter(id -> !ended.contains(id))
                .findFirst()
                .orElse(null);
    }
}
