package io.muster.scheduling.verify;

import io.muster.model.JobId;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.scheduling.verify.Breach.Rule;
import io.muster.scheduling.verify.PlaceRules.Finding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Nobody is asked to move without a place of its own, free now and kept for nobody else, nor kept one without moving. */
final class MoveRules {
    private final World world;
    private final PlaceRules places;
    private final Set<JobId> asked = new HashSet<>();
    private final Set<JobId> placed = new HashSet<>();

    MoveRules(World world, PlaceRules places) {
        this.world = world;
        this.places = places;
    }

    /** Reads the plan before it is checked. */
    void note(Decision decision) {
        if (decision instanceof Decision.RequestCheckpoint r && r.cause() == Cause.MOVE) {
            asked.add(r.job());
        } else if (decision instanceof Decision.Reserve r && r.kind() == Decision.Reserve.Kind.MOVE) {
            placed.add(r.job());
        }
    }

    List<Finding> check(Decision.RequestCheckpoint request) {
        return request.cause() != Cause.MOVE || placed.contains(request.job())
                ? List.of()
                : List.of(new Finding(Rule.NO_NEW_PLACE, "nothing is kept for " + request.job()));
    }

    /** What is wrong with the new place, promises to others that were made so far kept. */
    List<Finding> check(Decision.Reserve reserve, RunningJob mover) {
        var findings = new ArrayList<Finding>();
        if (!asked.contains(mover.id()) || !world.leaving.contains(mover.id())) {
            findings.add(new Finding(Rule.NO_NEW_PLACE, mover.id() + " was not asked to move"));
        }
        if (!reserve.pool().equals(mover.pool())) {
            findings.add(new Finding(Rule.WRONG_POOL_OR_TYPE, reserve.pool() + ", not " + mover.pool()));
        }
        var asOf = world.snapshot.asOf();
        // It begins to wait when it is gone, and waits for nothing but its place.
        var arriving = new WaitingJob(mover.facts(), asOf, null, mover.excludedNodes(), Set.of());
        findings.addAll(places.check(arriving, reserve.pool(), null, reserve.placements(), false));
        for (var wanted : World.byNode(reserve.placements()).entrySet()) {
            var node = world.nodes.get(wanted.getKey());
            if (node == null) {
                continue;
            }
            if (!Fit.fits(wanted.getValue(), world.freeNow(node))) {
                findings.add(new Finding(Rule.CAPACITY, node.id() + " has " + world.freeNow(node)));
            } else if (!Fit.fits(wanted.getValue(), world.freeLater(node, mover.id()))) {
                findings.add(new Finding(Rule.RESERVATION, node.id() + " is promised"));
            } else if (world.isReservedForHead(node, mover.id())
                    && !Fit.fits(wanted.getValue(), world.freeBeyondHeads(node, mover.id()))) {
                findings.add(new Finding(Rule.RESERVATION, node.id() + " is reserved for a head"));
            }
        }
        return findings;
    }
}
