package io.muster.scheduling.verify;

import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.plan.Decision.RequestCheckpoint;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.scheduling.verify.Breach.Rule;
import io.muster.scheduling.verify.PlaceRules.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/** Nobody yields without need: if any one victim stayed, the beneficiary's place or its share would be gone. */
final class NeedRules {
    private final World world;
    private final ShareFacts shares;
    private final ClaimRules claims;

    NeedRules(World world, ShareFacts shares, ClaimRules claims) {
        this.world = world;
        this.shares = shares;
        this.claims = claims;
    }

    /**
     * Victims of {@code asked} that the beneficiary does not need, as all counts before it is counted itself.
     *
     * @param takesShare whether its start would take the share that a head needs
     */
    List<Finding> check(
            WaitingJob job,
            PoolId pool,
            List<ReplicaPlacement> on,
            List<RequestCheckpoint> asked,
            BooleanSupplier takesShare) {
        var findings = new ArrayList<Finding>();
        for (var request : asked) {
            var victim = world.running.get(request.job());
            if (victim != null
                    && !placeNeeds(job, on, victim, request.guaranteed())
                    && (request.cause() == Cause.MOVE
                            || !shareNeeds(job, pool, on, victim, request, asked, takesShare))) {
                findings.add(new Finding(Rule.VICTIM_NOT_NEEDED, victim.id() + " could stay"));
            }
        }
        return findings;
    }

    private boolean placeNeeds(WaitingJob job, List<ReplicaPlacement> on, RunningJob victim, boolean guaranteed) {
        var held = World.byNode(victim.placements());
        for (var wanted : World.byNode(on).entrySet()) {
            var node = world.nodes.get(wanted.getKey());
            var back = held.get(wanted.getKey());
            if (node == null || back == null) {
                continue;
            }
            // Of an elastic job that goes on smaller, the rest of its place is its own already.
            var left = world.freeLater(node, job.id())
                    .minus(back)
                    .plus(world.promisedTo(victim.id()).getOrDefault(wanted.getKey(), Resources.NONE));
            // Only a claim within a guarantee counts on what is reserved for heads.
            left = guaranteed ? left : left.minus(world.reservedForHeadsAtLast(node, job.id()));
            if (!Fit.fits(wanted.getValue(), left)) {
                return true;
            }
        }
        return false;
    }

    private boolean shareNeeds(
            WaitingJob job,
            PoolId pool,
            List<ReplicaPlacement> on,
            RunningJob victim,
            RequestCheckpoint request,
            List<RequestCheckpoint> asked,
            BooleanSupplier takesShare) {
        shares.count(victim.facts(), victim.pool(), request.gpusFreed());
        try {
            return !claims.check(job.facts(), pool, World.gpus(on), false).isEmpty()
                    || takesShare.getAsBoolean()
                    || !othersStayRightful(job, pool, World.gpus(on), request, asked);
        } finally {
            shares.count(victim.facts(), victim.pool(), -request.gpusFreed());
        }
    }

    /** Without {@code spared}, each of the others is still above its share and the beneficiary within its own. */
    private boolean othersStayRightful(
            WaitingJob job, PoolId pool, int gpus, RequestCheckpoint spared, List<RequestCheckpoint> asked) {
        var others = asked.stream()
                .filter(r -> !r.equals(spared) && world.running.containsKey(r.job()))
                .toList();
        others.forEach(r -> count(r, 1));
        boolean rightful = true;
        for (var request : others) {
            rightful &= request.cause() != Cause.RECLAIM || mayReclaim(job, pool, gpus, request);
            count(request, -1);
        }
        return rightful;
    }

    private void count(RequestCheckpoint request, int sign) {
        var victim = Objects.requireNonNull(world.running.get(request.job()));
        shares.count(victim.facts(), victim.pool(), sign * request.gpusFreed());
    }

    private boolean mayReclaim(WaitingJob job, PoolId pool, int gpus, RequestCheckpoint request) {
        var victim = Objects.requireNonNull(world.running.get(request.job()));
        var way = shares.way(job.facts().team());
        var common =
                shares.way(victim.facts().team()).stream().filter(way::contains).toList();
        return claims.isWithin(job.facts(), pool, gpus, common);
    }
}
