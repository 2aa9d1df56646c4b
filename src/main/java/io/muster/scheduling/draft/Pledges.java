package io.muster.scheduling.draft;

import io.muster.model.JobId;
import io.muster.scheduling.placement.Room;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.topology.Fleet;
import io.muster.scheduling.topology.Partition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What earlier plans promised and this one keeps: GPUs being freed by victims, and new places of those that move. */
final class Pledges {
    private final Fleet fleet;
    private final Room room;
    private final Holdings holdings;
    private final Map<JobId, ReservationView> byJob = new LinkedHashMap<>();

    Pledges(Fleet fleet, Room room, Holdings holdings) {
        this.fleet = fleet;
        this.room = room;
        this.holdings = holdings;
    }

    void open(Claimant claimant, ReservationView reservation, int pool) {
        byJob.put(claimant.id(), reservation);
        for (var spot : spots(reservation)) {
            if (reservation.kind() == ReservationView.Kind.MOVE) {
                room.hold(spot.node(), spot.amount());
            } else {
                room.promise(spot.node(), spot.amount());
            }
        }
        holdings.count(claimant, pool, 1);
    }

    void close(Claimant claimant, ReservationView reservation, int pool) {
        byJob.remove(claimant.id());
        for (var spot : spots(reservation)) {
            if (reservation.kind() == ReservationView.Kind.MOVE) {
                room.unhold(spot.node(), spot.amount());
            } else {
                room.release(spot.node(), spot.amount());
            }
        }
        holdings.count(claimant, pool, -1);
    }

    void openMove(Occupant mover, ReservationView reservation) {
        byJob.put(mover.id(), reservation);
        spots(reservation).forEach(spot -> room.hold(spot.node(), spot.amount()));
        holdings.countWhole(mover);
    }

    private List<Occupant.Spot> spots(ReservationView reservation) {
        return Occupant.spots(reservation.placements(), fleet);
    }

    @Nullable ReservationView of(JobId job) {
        return byJob.get(job);
    }

    /** Who has GPUs of {@code partition} kept. */
    List<Draft.Kept> in(Partition partition) {
        var kept = new ArrayList<Draft.Kept>();
        byJob.values().forEach(r -> {
            if (r.pool().equals(partition.poolId())) {
                int gpus =
                        r.placements().stream().mapToInt(p -> p.amount().gpus()).sum();
                kept.add(new Draft.Kept(r.job(), gpus, r.expiresAt()));
            }
        });
        return kept;
    }
}
