package io.muster.scheduling.verify;

import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.Resources;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Decision.RequestCheckpoint;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.scheduling.verify.Breach.Rule;
import io.muster.scheduling.verify.PlaceRules.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules by which an elastic job that runs goes on with more replicas, for itself, or with fewer, for another. */
final class ResizeRules {
    private static final long UNKNOWN_RESTART_SECONDS = 60;

    private final World world;
    private final ShareFacts shares;
    private final ClaimRules claims;
    private final PlaceRules places;
    private final Map<JobId, Decision.Reserve> next = new HashMap<>();
    private final Map<JobId, RequestCheckpoint> asked = new HashMap<>();
    private final Set<JobId> started = new HashSet<>();

    ResizeRules(World world, ShareFacts shares, ClaimRules claims, PlaceRules places, SchedulingPlan plan) {
        this.world = world;
        this.shares = shares;
        this.claims = claims;
        this.places = places;
        for (var decision : plan.decisions()) {
            if (decision instanceof Decision.Reserve r
                    && r.kind() == Decision.Reserve.Kind.VICTIMS
                    && world.running.containsKey(r.job())) {
                next.put(r.job(), r);
            } else if (decision instanceof Decision.Start s) {
                started.add(s.job());
            }
        }
    }

    /** A job asked for its own sake: it may be asked at all, and its growth is worth the restart. */
    List<Finding> mayGrow(RequestCheckpoint request, RunningJob job, boolean shielded) {
        asked.put(job.id(), request);
        var findings = new ArrayList<Finding>();
        if (shielded || !job.facts().preemptible()) {
            findings.add(new Finding(Rule.VICTIM_PROTECTED, "not preemptible, young, or protected"));
        }
        var larger = next.get(job.id());
        int added = larger == null ? 0 : World.gpus(larger.placements()) - job.gpusHeld();
        boolean may = request.cause() == Decision.Cause.RESIZE
                && request.gpusFreed() == 0
                && job.state() == JobState.RUNNING
                && !job.backfilled()
                && added > 0;
        if (!may) {
            findings.add(new Finding(Rule.RESIZE, request.cause() + " by " + added + " GPUs of " + job.state()));
        } else if (gain(job, added) <= loss(job)) {
            findings.add(new Finding(Rule.RESIZE, "gains " + gain(job, added) + ", loses " + loss(job)));
        }
        return findings;
    }

    private long gain(RunningJob job, int added) {
        return Duration.between(world.snapshot.asOf(), world.end(job)).toSeconds() * added;
    }

    /** GPU-seconds since its last checkpoint, and those of its restart. */
    private long loss(RunningJob job) {
        var asOf = world.snapshot.asOf();
        var began = job.runningSince() == null ? job.startedAt() : job.runningSince();
        var saved = job.lastCheckpointAt();
        long risk = Math.max(
                0, Duration.between(saved == null ? began : saved, asOf).toSeconds());
        var every = job.facts().checkpointEvery();
        if (saved == null && every != null) {
            risk = Math.min(risk, every.toSeconds());
        }
        long restart = job.restartTime().isZero()
                ? UNKNOWN_RESTART_SECONDS
                : job.restartTime().toSeconds();
        return (risk + restart) * job.gpusHeld();
    }

    /** What a victim is said to free is what it does not go on with. */
    List<Finding> frees(RequestCheckpoint request, RunningJob victim) {
        asked.put(victim.id(), request);
        var left = next.get(victim.id());
        int goesOnWith = left == null ? 0 : World.gpus(left.placements());
        return request.gpusFreed() == victim.gpusHeld() - goesOnWith
                ? List.of()
                : List.of(new Finding(
                        Rule.RESIZE,
                        "frees " + request.gpusFreed() + " of " + victim.gpusHeld() + ", keeps " + goesOnWith));
    }

    /** The place in which the job goes on; it is kept for it from now on. */
    List<Finding> check(Decision.Reserve reserve, RunningJob job) {
        var findings = new ArrayList<Finding>();
        var request = asked.get(job.id());
        if (request == null
                || reserve.kind() != Decision.Reserve.Kind.VICTIMS
                || !reserve.pool().equals(job.pool())
                || !reserve.victims().equals(List.of(job.id()))) {
            findings.add(new Finding(Rule.RESIZE, "has its next place kept, and was not asked to leave for it"));
            return findings;
        }
        var since = job.runningSince() == null ? job.startedAt() : job.runningSince();
        var claim = new WaitingJob(job.facts(), since, null, job.excludedNodes(), Set.of());
        if (request.beneficiary().equals(job.id())) {
            findings.addAll(places.check(claim, reserve.pool(), null, reserve.placements(), false));
            larger(reserve, job, findings);
        } else {
            findings.addAll(places.size(claim, reserve.placements()));
            smaller(reserve, job, findings);
        }
        world.promise(job.id(), reserve.placements());
        shares.count(job.facts(), reserve.pool(), World.gpus(reserve.placements()));
        return findings;
    }

    /** It stays where it is with some of its replicas. */
    private static void smaller(Decision.Reserve reserve, RunningJob job, List<Finding> findings) {
        var held = World.byNode(job.placements());
        for (var wanted : World.byNode(reserve.placements()).entrySet()) {
            if (!Fit.fits(wanted.getValue(), held.getOrDefault(wanted.getKey(), Resources.NONE))) {
                findings.add(new Finding(Rule.RESIZE, "gives up replicas, and moves to " + wanted.getKey()));
            }
        }
    }

    /** It grows within its share, or while nobody waits, and on nothing that is kept for others. */
    private void larger(Decision.Reserve reserve, RunningJob job, List<Finding> findings) {
        var pool = reserve.pool();
        int gpus = World.gpus(reserve.placements());
        findings.addAll(claims.check(job.facts(), pool, gpus, false));
        boolean somebodyWaits =
                world.waiting.values().stream().anyMatch(w -> !started.contains(w.id()) && shares.standsIn(w, pool));
        if (somebodyWaits && !claims.isWithin(job.facts(), pool, gpus, List.of())) {
            findings.add(new Finding(Rule.RESIZE, "grows beyond its share while others wait"));
        }
        for (var head : world.headsOf(pool, job.id())) {
            var waits = world.waiting.get(head);
            if (waits != null && claims.delaysHead(job.facts(), gpus, waits.facts(), world.headGpus(head), pool)) {
                findings.add(new Finding(Rule.HEAD_SHARE, head + " would no longer fit its share"));
            }
        }
        for (var wanted : World.byNode(reserve.placements()).entrySet()) {
            var node = world.nodes.get(wanted.getKey());
            var left = node == null
                    ? Resources.NONE
                    : world.freeLater(node, job.id()).minus(world.reservedForHeads(node, job.id()));
            if (!Fit.fits(wanted.getValue(), left)) {
                findings.add(new Finding(Rule.CAPACITY, wanted.getKey() + " will have " + left));
            }
        }
    }
}
