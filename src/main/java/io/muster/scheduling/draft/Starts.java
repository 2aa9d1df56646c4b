package io.muster.scheduling.draft;

import io.muster.model.DomainPath;
import io.muster.model.JobId;
import io.muster.model.ReservationId;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.Room;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.problem.Problem;
import io.muster.scheduling.topology.Partition;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who starts in this pass, and where. */
final class Starts {
    private final Problem problem;
    private final Room room;
    private final Tenures tenures;
    private final Map<JobId, Draft.Started> byJob = new LinkedHashMap<>();

    Starts(Problem problem, Room room, Tenures tenures) {
        this.problem = problem;
        this.room = room;
        this.tenures = tenures;
    }

    /** Frees the room of a start. */
    void vacate(Claimant claimant) {
        var layout = placeOf(claimant);
        if (layout != null) {
            layout.spots().forEach(s -> room.vacate(s.node(), s.amount()));
        }
    }

    /** Moves starts to other places; returns the decisions that take the place of theirs. */
    Map<JobId, Decision.Start> reseat(Map<Claimant, Layout> places) {
        places.keySet().forEach(this::vacate);
        var moved = new HashMap<JobId, Decision.Start>();
        places.forEach((claimant, layout) -> {
            layout.spots().forEach(s -> room.occupy(s.node(), s.amount()));
            tenures.removeStarted(claimant.id());
            moved.put(claimant.id(), seat(claimant, layout, false, null));
        });
        return moved;
    }

    /** Notes a start whose room is taken. */
    Decision.Start seat(Claimant claimant, Layout layout, boolean backfilled, @Nullable ReservationId consumes) {
        byJob.put(claimant.id(), new Draft.Started(claimant, layout));
        var placements = claimant.gang().number(layout, problem.fleet());
        tenures.add(new Tenure(
                claimant.id(),
                layout.partition().pool(),
                claimant.leaf(),
                claimant.user(),
                claimant.gpus(),
                !claimant.facts().preemptible(),
                endIfNow(claimant),
                backfilled,
                Occupant.spots(placements, problem.fleet())));
        return new Decision.Start(
                claimant.id(),
                layout.partition().poolId(),
                layout.partition().type(),
                placements,
                levelName(layout),
                layout.level() == Partition.WHOLE
                        ? DomainPath.POOL
                        : layout.partition().domainPath(layout.level(), layout.domain()),
                backfilled,
                consumes);
    }

    private static @Nullable String levelName(Layout layout) {
        return layout.level() == Partition.WHOLE
                ? null
                : layout.partition().levels().get(layout.level()).level();
    }

    /** When the job will have ended if it starts now, by its walltime or by what policy assumes. */
    Instant endIfNow(Claimant claimant) {
        var walltime = claimant.facts().walltime();
        return problem.asOf().plus(walltime == null ? problem.settings().defaultRunTime() : walltime);
    }

    @Nullable Layout placeOf(Claimant claimant) {
        var start = byJob.get(claimant.id());
        return start == null ? null : start.layout();
    }

    /** In the order of their starts. */
    Collection<Draft.Started> all() {
        return byJob.values();
    }
}
