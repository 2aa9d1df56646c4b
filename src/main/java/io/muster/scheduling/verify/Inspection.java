package io.muster.scheduling.verify;

import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.plan.ShareRow;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.scheduling.verify.Breach.Rule;
import io.muster.scheduling.verify.PlaceRules.Finding;
import io.muster.scheduling.verify.Tree.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
    private final HeadRules heads;
    private final VictimRules victims;
    private final ModeRules modes;
    private final NeedRules needs;
    private final ResizeRules resizes;
    private final ShapeRules shapes;
    private final Map<JobId, Integer> wanted = new HashMap<>();
    private final Map<JobId, List<Decision.RequestCheckpoint>> asked = new HashMap<>();
    private final Set<JobId> promisedTo = new HashSet<>();
    private final Set<Pledge> pledges = new HashSet<>();
    private final List<Breach> breaches = new ArrayList<>();
    private final Set<JobId> placed = new HashSet<>();
    private final MoveRules relocated;

    private record Pledge(JobId beneficiary, JobId victim) {}

    Inspection(ClusterSnapshot snapshot, SchedulingPlan plan) {
        this.plan = plan;
        world = new World(snapshot);
        shares = new ShareFacts(snapshot);
        claims = new ClaimRules(shares);
        places = new PlaceRules(world);
        heads = new HeadRules(world, claims);
        shapes = new ShapeRules(world, shares, plan);
        victims = new VictimRules(world, shares, claims, shapes);
        modes = new ModeRules(snapshot, shares);
        needs = new NeedRules(world, shares, claims);
        relocated = new MoveRules(world, places);
        resizes = new ResizeRules(world, shares, claims, places, plan);
        for (var decision : plan.decisions()) {
            if (decision instanceof Decision.Start s) {
                promisedTo.add(decision.job());
                wanted.put(s.job(), World.gpus(s.placements()));
            } else if (decision instanceof Decision.Reserve r && r.kind() == Decision.Reserve.Kind.VICTIMS) {
                wanted.put(r.job(), World.gpus(r.placements()));
                r.victims().forEach(v -> pledges.add(new Pledge(r.job(), v)));
            }
            relocated.note(decision);
            if (decision instanceof Decision.Reserve r && r.kind() == Decision.Reserve.Kind.HEAD) {
                world.toCome.put(r.job(), r.placements());
            }
            if (decision instanceof Decision.Reserve || decision instanceof Decision.Unreserve) {
                world.moving.add(decision.job());
            }
        }
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
        for (var decision : plan.decisions()) {
            if (decision instanceof Decision.Reserve r && !world.canBeMet(r.job())) {
                breach(Rule.RESERVATION, r, "will not have its place at " + r.startAt());
            }
            if (decision instanceof Decision.Start s) {
                breaches(s, shapes.borrowed(s));
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
        ownReservation(start, job);
        var own = world.reservations.get(job.id());
        boolean inItsPlace = own != null
                && own.pool().equals(start.pool())
                && nodes(own.placements()).containsAll(nodes(start.placements()));
        // How patient it had to be was asked when the place was promised.
        boolean hurries = own != null && inItsPlace && own.kind() == ReservationView.Kind.VICTIMS;
        breaches(start, places.check(job, start.pool(), start.gpuType(), start.placements(), hurries));
        boolean promised = forgetPromise(job.facts());
        int gpus = World.gpus(start.placements());
        breaches(start, claims.check(job.facts(), start.pool(), gpus, promised));
        breaches(
                start,
                needs.check(job, start.pool(), start.placements(), askedFor(job), () -> heads.loseShareTo(job, start)));
        boolean delays = !start.backfilled() && !(promised && inItsPlace);
        // Like a reclaim within a guarantee, what a shape covers goes before what is reserved for heads.
        if (delays
                && !promised
                && !inItsPlace
                && askedFor(job).isEmpty()
                && heads.loseShareTo(job, start)
                && !shapes.hasRight(job.facts(), start.pool())) {
            breach(Rule.HEAD_SHARE, start, "a head of " + start.pool() + " would no longer fit its share");
        }
        for (var wanted : World.byNode(start.placements()).entrySet()) {
            var view = world.nodes.get(wanted.getKey());
            if (view == null) {
                continue;
            }
            if (!fits(wanted.getValue(), world.freeNow(view))) {
                breach(Rule.CAPACITY, start, view.id() + " has " + world.freeNow(view));
            } else if (!fits(wanted.getValue(), world.freeLater(view, job.id()))) {
                breach(Rule.RESERVATION, start, view.id() + " is promised");
            } else if (delays
                    && heads.areDelayedBy(job, start, view, wanted.getValue())
                    && !shapes.hasRight(job.facts(), start.pool())) {
                breach(Rule.RESERVATION, start, view.id() + " is reserved for a head");
            }
        }
        world.start(job, start.placements(), start.backfilled());
        shares.count(job.facts(), start.pool(), gpus);
        shares.started(job.facts(), start.pool());
        shapes.placed(job.id(), start.pool(), true);
    }

    private List<Decision.RequestCheckpoint> askedFor(WaitingJob job) {
        return asked.getOrDefault(job.id(), List.of());
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
    private boolean forgetPromise(JobFacts job) {
        var own = world.reservations.remove(job.id());
        world.release(job.id());
        if (own == null || own.kind() == ReservationView.Kind.HEAD) {
            return false;
        }
        shares.count(job, own.pool(), -World.gpus(own.placements()));
        return true;
    }

    private void check(Decision.Reserve reserve) {
        if (reserve.kind() == Decision.Reserve.Kind.MOVE) {
            checkMove(reserve);
            return;
        }
        var runs = world.running.get(reserve.job());
        if (runs != null) {
            breaches(reserve, resizes.check(reserve, runs));
            return;
        }
        var job = waiting(reserve);
        if (job == null) {
            return;
        }
        breaches(reserve, modes.start(job.facts(), reserve.pool()));
        breaches(reserve, places.check(job, reserve.pool(), null, reserve.placements(), false));
        forgetPromise(job.facts());
        if (reserve.kind() == Decision.Reserve.Kind.HEAD) {
            if (reserve.startAt() == null) {
                breach(Rule.RESERVATION, reserve, "has no time");
            } else {
                world.reserve(job.id(), reserve.pool(), reserve.placements(), reserve.startAt());
            }
            return;
        }
        int gpus = World.gpus(reserve.placements());
        breaches(reserve, claims.check(job.facts(), reserve.pool(), gpus, false));
        breaches(reserve, needs.check(job, reserve.pool(), reserve.placements(), askedFor(job), () -> false));
        for (var wanted : World.byNode(reserve.placements()).entrySet()) {
            var view = world.nodes.get(wanted.getKey());
            if (view != null && !fits(wanted.getValue(), world.freeLater(view, job.id()))) {
                breach(Rule.CAPACITY, reserve, view.id() + " will have " + world.freeLater(view, job.id()));
            }
        }
        if (!world.leaving.containsAll(reserve.victims())) {
            breach(Rule.VICTIM_RULE, reserve, "names victims that were not asked");
        }
        world.promise(job.id(), reserve.placements());
        shares.count(job.facts(), reserve.pool(), gpus);
        shapes.placed(job.id(), reserve.pool(), false);
    }

    private void checkMove(Decision.Reserve reserve) {
        var mover = world.running.get(reserve.job());
        if (mover == null || !placed.add(mover.id())) {
            breach(mover == null ? Rule.UNKNOWN_JOB : Rule.DECIDED_TWICE, reserve, "moves");
            return;
        }
        breaches(reserve, modes.start(mover.facts(), reserve.pool()));
        breaches(reserve, relocated.check(reserve, mover));
        world.promise(mover.id(), reserve.placements());
        shares.count(mover.facts(), reserve.pool(), mover.facts().gpus());
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
        breaches(request, relocated.check(request));
        if (request.beneficiary().equals(request.job())) {
            breaches(request, resizes.mayGrow(request, victim, victims.isShielded(victim)));
            shares.count(victim.facts(), victim.pool(), -victim.gpusHeld());
            return;
        }
        breaches(request, resizes.frees(request, victim));
        var beneficiary = world.waiting.get(request.beneficiary());
        if (beneficiary == null || !isPromised(request)) {
            breach(Rule.NO_BENEFICIARY, request, "nothing is kept for " + request.beneficiary());
        } else {
            var own = world.reservations.get(beneficiary.id());
            if (own != null && own.kind() == ReservationView.Kind.VICTIMS) {
                forgetPromise(beneficiary.facts());
            }
            int gpus = wanted.getOrDefault(beneficiary.id(), beneficiary.facts().gpus());
            breaches(request, victims.check(request, victim, beneficiary, gpus));
            asked.computeIfAbsent(beneficiary.id(), b -> new ArrayList<>()).add(request);
        }
        shares.count(victim.facts(), victim.pool(), -victim.gpusHeld());
    }

    private boolean isPromised(Decision.RequestCheckpoint request) {
        return promisedTo.contains(request.beneficiary())
                || pledges.contains(new Pledge(request.beneficiary(), request.job()));
    }

    private void check(Decision.Unreserve unreserve) {
        var reservation = world.reservation(unreserve.reservation());
        if (reservation == null || !reservation.job().equals(unreserve.job())) {
            breach(Rule.RESERVATION, unreserve, "no such reservation");
            return;
        }
        var own = world.reservations.get(unreserve.job());
        if (own != null && own.id().equals(unreserve.reservation())) {
            var job = world.waiting.get(unreserve.job());
            var mover = world.running.get(unreserve.job());
            var facts = job != null ? job.facts() : mover != null ? mover.facts() : null;
            if (facts != null) {
                forgetPromise(facts);
            }
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
        shares.ends(job);
        if (!world.leaving.add(job.id())) {
            breach(Rule.DECIDED_TWICE, stop, "is leaving already");
        }
    }

    private static Set<NodeId> nodes(List<ReplicaPlacement> placements) {
        var nodes = new TreeSet<NodeId>();
        placements.forEach(p -> nodes.add(p.node()));
        return nodes;
    }

    private static boolean fits(Resources wanted, Resources room) {
        return Fit.fits(wanted, room);
    }

    /** Rows of the plan that say something else than the facts after its decisions do. */
    List<ShareRow> misreported() {
        run();
        return plan.shares().stream()
                .filter(row -> {
                    var step = new Step(row.team(), false);
                    return row.allocated() != shares.allocated(step, row.pool())
                            || row.deserved() != shares.deserved(step, row.pool())
                            || row.guaranteed() != shares.guaranteed(step, row.pool())
                            || row.withheld() != shares.withheld(step, row.pool())
                            || row.demand() != shares.demand(step, row.pool());
                })
                .toList();
    }
}
