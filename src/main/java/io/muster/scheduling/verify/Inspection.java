package io.muster.scheduling.verify;

import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.scheduling.verify.Breach.Rule;
import io.muster.scheduling.verify.PlaceRules.Finding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Goes through one plan, decision by decision, and keeps count of what each changes. */
final class Inspection {
    private final SchedulingPlan plan;
    private final World world;
    private final ShareFacts shares;
    private final ClaimRules claims;
    private final PlaceRules places;
    private final VictimRules victims;
    private final ModeRules modes;
    private final List<Breach> breaches = new ArrayList<>();
    private final Set<JobId> placed = new HashSet<>();

    Inspection(ClusterSnapshot snapshot, SchedulingPlan plan) {
        this.plan = plan;
        world = new World(snapshot);
        shares = new ShareFacts(snapshot, plan.shares());
        claims = new ClaimRules(shares);
        places = new PlaceRules(world);
        victims = new VictimRules(world, shares, claims);
        modes = new ModeRules(snapshot, shares);
    }

    List<Breach> run() {
        for (var decision : plan.decisions()) {
            switch (decision) {
                case Decision.Start start -> check(start);
                case Decision.Reserve reserve -> check(reserve);
                case Decision.RequestCheckpoint request -> check(request);
                case Decision.Unreserve unreserve -> check(unreserve);
                case Decision.Stop stop -> check(stop);
            }
        }
        return breaches;
    }

    private void breach(Rule rule, Decision decision, String detail) {
        breaches.add(new Breach(rule, decision.job(), decision, detail));
    }

    private void breaches(Decision decision, List<Finding> findings) {
        findings.forEach(f -> breach(f.rule(), decision, f.detail()));
    }

    /** The job must wait, once, and not in backoff. */
    private @Nullable WaitingJob waiting(Decision decision) {
        var job = world.waiting.get(decision.job());
        if (job == null) {
            breach(Rule.UNKNOWN_JOB, decision, "does not wait");
            return null;
        }
        if (!placed.add(job.id())) {
            breach(Rule.DECIDED_TWICE, decision, "placed twice");
        }
        if (job.backoff() != null && job.backoff().until().isAfter(world.snapshot.asOf())) {
            breach(Rule.BACKOFF, decision, "not before " + job.backoff().until());
        }
        return job;
    }

    private void check(Decision.Start start) {
        var job = waiting(start);
        if (job == null) {
            return;
        }
        breaches(start, modes.start(job.facts(), start.pool()));
        breaches(start, places.check(job, start.pool(), start.gpuType(), start.placements()));
        ownReservation(start, job);
        var own = world.reservations.get(job.id());
        boolean promised = forgetPromise(job);
        boolean inItsPlace = promised && own != null && nodes(own.placements()).containsAll(nodes(start.placements()));
        breaches(start, claims.check(job.facts(), start.pool(), job.facts().gpus(), promised));
        for (var node : nodes(start.placements())) {
            var wanted = World.on(start.placements(), node);
            var view = world.nodes.get(node);
            if (view == null) {
                continue;
            }
            if (!fits(wanted, world.freeNow(view))) {
                breach(Rule.CAPACITY, start, node + " has " + world.freeNow(view));
            } else if (!fits(wanted, world.freeLater(view, job.id()))) {
                breach(Rule.RESERVATION, start, node + " is promised");
            } else if (!start.backfilled() && !inItsPlace && delaysHead(job, start, view.id(), wanted)) {
                breach(Rule.RESERVATION, start, node + " is reserved for a head");
            }
        }
        world.start(job, start.placements(), start.backfilled());
        shares.count(job.facts(), start.pool(), job.facts().gpus());
    }

    private boolean delaysHead(WaitingJob job, Decision.Start start, NodeId node, Resources wanted) {
        var view = world.nodes.get(node);
        var first = world.firstHead(start.pool(), job.id());
        if (view == null || first == null || !world.isReservedForHead(view, job.id())) {
            return false;
        }
        boolean endsBefore =
                job.facts().walltime() != null && !world.endOfStart(job).isAfter(first);
        return !endsBefore && !fits(wanted, world.freeBeyondHeads(view, job.id()));
    }

    private void ownReservation(Decision.Start start, WaitingJob job) {
        if (start.consumes() != null) {
            var own = world.reservation(start.consumes());
            if (own == null || !own.job().equals(job.id())) {
                breach(Rule.RESERVATION, start, "consumes what is not its own");
            }
        }
    }

    /** A promise made in an earlier cycle was counted for the job; what it does now replaces it. True if there was. */
    private boolean forgetPromise(WaitingJob job) {
        var own = world.reservations.remove(job.id());
        world.release(job.id());
        if (own == null || own.kind() == ReservationView.Kind.HEAD) {
            return false;
        }
        shares.count(job.facts(), own.pool(), -job.facts().gpus());
        return true;
    }

    private void check(Decision.Reserve reserve) {
        var job = waiting(reserve);
        if (job == null) {
            return;
        }
        breaches(reserve, modes.start(job.facts(), reserve.pool()));
        breaches(reserve, places.check(job, reserve.pool(), null, reserve.placements()));
        forgetPromise(job);
        if (reserve.kind() == Decision.Reserve.Kind.HEAD) {
            if (reserve.startAt() == null) {
                breach(Rule.RESERVATION, reserve, "has no time");
            } else {
                world.reserve(job.id(), reserve.placements(), reserve.startAt());
            }
            return;
        }
        breaches(reserve, claims.check(job.facts(), reserve.pool(), job.facts().gpus(), false));
        for (var node : nodes(reserve.placements())) {
            var view = world.nodes.get(node);
            if (view != null && !fits(World.on(reserve.placements(), node), world.freeLater(view, job.id()))) {
                breach(Rule.CAPACITY, reserve, node + " will have " + world.freeLater(view, job.id()));
            }
        }
        if (!world.leaving.containsAll(reserve.victims())) {
            breach(Rule.VICTIM_RULE, reserve, "names victims that were not asked");
        }
        world.promise(job.id(), reserve.placements());
        shares.count(job.facts(), reserve.pool(), job.facts().gpus());
    }

    private void check(Decision.RequestCheckpoint request) {
        var victim = world.running.get(request.job());
        if (victim == null || !victim.attempt().equals(request.attempt())) {
            breach(Rule.UNKNOWN_JOB, request, "does not run");
            return;
        }
        if (!world.leaving.add(victim.id())) {
            breach(Rule.DECIDED_TWICE, request, "is leaving already");
            return;
        }
        breaches(request, modes.preempt());
        var beneficiary = world.waiting.get(request.beneficiary());
        if (beneficiary == null || !isPromised(request)) {
            breach(Rule.NO_BENEFICIARY, request, "nothing is kept for " + request.beneficiary());
        } else {
            var own = world.reservations.get(beneficiary.id());
            if (own != null && own.kind() == ReservationView.Kind.VICTIMS) {
                forgetPromise(beneficiary);
            }
            breaches(request, victims.check(request, victim, beneficiary.facts()));
        }
        shares.count(victim.facts(), victim.pool(), -victim.gpusHeld());
    }

    private boolean isPromised(Decision.RequestCheckpoint request) {
        return plan.decisions().stream()
                .filter(d -> d.job().equals(request.beneficiary()))
                .anyMatch(d -> d instanceof Decision.Start
                        || (d instanceof Decision.Reserve r
                                && r.kind() == Decision.Reserve.Kind.VICTIMS
                                && r.victims().contains(request.job())));
    }

    private void check(Decision.Unreserve unreserve) {
        var reservation = world.reservation(unreserve.reservation());
        if (reservation == null || !reservation.job().equals(unreserve.job())) {
            breach(Rule.RESERVATION, unreserve, "no such reservation");
            return;
        }
        var job = world.waiting.get(unreserve.job());
        var own = world.reservations.get(unreserve.job());
        if (job != null && own != null && own.id().equals(unreserve.reservation())) {
            forgetPromise(job);
        }
    }

    private void check(Decision.Stop stop) {
        var job = world.running.get(stop.job());
        if (job == null || !job.attempt().equals(stop.attempt())) {
            breach(Rule.UNKNOWN_JOB, stop, "does not run");
            return;
        }
        breaches(stop, modes.stop());
        var walltime = job.facts().walltime();
        boolean over = walltime != null
                && job.runningSince() != null
                && !world.snapshot.asOf().isBefore(job.runningSince().plus(walltime));
        if (!over) {
            breach(Rule.WALLTIME, stop, "has time left");
        }
        if (!world.leaving.add(job.id())) {
            breach(Rule.DECIDED_TWICE, stop, "is leaving already");
        }
    }

    private static Set<NodeId> nodes(List<ReplicaPlacement> placements) {
        var nodes = new TreeSet<NodeId>();
        placements.forEach(p -> nodes.add(p.node()));
        return nodes;
    }

    /** What is not asked for cannot be short. */
    private static boolean fits(Resources wanted, Resources room) {
        return (wanted.gpus() == 0 || wanted.gpus() <= room.gpus())
                && (wanted.cpuMillis() == 0 || wanted.cpuMillis() <= room.cpuMillis())
                && (wanted.memoryBytes() == 0 || wanted.memoryBytes() <= room.memoryBytes());
    }
}
