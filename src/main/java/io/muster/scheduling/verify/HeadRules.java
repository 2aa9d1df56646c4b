package io.muster.scheduling.verify;

import io.muster.model.PoolId;
import io.muster.model.Resources;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.WaitingJob;

/** What blocked heads have reserved: a head needs its share as much as its nodes. */
final class HeadRules {
    private final World world;
    private final ClaimRules claims;

    HeadRules(World world, ClaimRules claims) {
        this.world = world;
        this.claims = claims;
    }

    /** True when after the start a head of the pool no longer fits its share, and the job does not end before it. */
    boolean loseShareTo(WaitingJob job, Decision.Start start) {
        return !endsBefore(job, start.pool())
                && world.headsOf(start.pool(), job.id()).stream()
                        .map(world.waiting::get)
                        .anyMatch(h -> h != null
                                && claims.delaysHead(
                                        job.facts(),
                                        World.gpus(start.placements()),
                                        h.facts(),
                                        world.headGpus(h.id()),
                                        start.pool()));
    }

    /** True when the start takes {@code wanted} of a node on which a head needs it. */
    boolean areDelayedBy(WaitingJob job, Decision.Start start, NodeView view, Resources wanted) {
        return world.isReservedForHead(view, job.id())
                && !endsBefore(job, start.pool())
                && !Fit.fits(wanted, world.freeBeyondHeads(view, job.id()));
    }

    private boolean endsBefore(WaitingJob job, PoolId pool) {
        var first = world.firstHead(pool, job.id());
        return first != null
                && job.facts().walltime() != null
                && !world.endOfStart(job).isAfter(first);
    }
}
