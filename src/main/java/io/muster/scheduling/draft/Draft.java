package io.muster.scheduling.draft;

import io.muster.model.JobId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.ReservationId;
import io.muster.scheduling.fairshare.PoolShares;
import io.muster.scheduling.fairshare.Standing;
import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.placement.Layout;
import io.muster.scheduling.placement.Placer;
import io.muster.scheduling.placement.Room;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.problem.Problem;
import io.muster.scheduling.shape.KeptDomains;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.topology.Partition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The plan in the making. */
public final class Draft {
    private final Problem problem;
    private final Room room;
    private final Placer placer;
    private final Holdings holdings;
    private final Tenures tenures;
    private final Pledges pledges;
    private final Starts starts;
    private final Heads heads;
    private final List<Decision> decisions = new ArrayList<>();
    private final BitSet settled = new BitSet();
    private final BitSet leaving = new BitSet();
    private final List<Touched> touched = new ArrayList<>();
    private final SortedSet<Integer> split = new TreeSet<>();
    private final KeptDomains kept;

    public Draft(Problem problem) {
        this.problem = problem;
        room = new Room(problem.fleet(), seats -> problem.occupants().forEach(o -> seat(o, seats)));
        placer = new Placer(room);
        tenures = new Tenures(problem.fleet().size(), problem.occupants().size());
        problem.occupants().forEach(o -> tenures.seat(o.job().leaving() ? null : tenure(o)));
        heads = new Heads(problem, room, tenures);
        holdings = new Holdings(problem);
        pledges = new Pledges(problem.fleet(), room, holdings);
        starts = new Starts(problem, room, tenures);
        kept = new KeptDomains(problem);
    }

    private static void seat(Occupant occupant, Room.Seats seats) {
        for (var spot : occupant.spots()) {
            if (occupant.job().leaving()) {
                seats.occupyLeaving(spot.node(), spot.amount());
            } else {
                seats.occupy(spot.node(), spot.amount());
            }
        }
    }

    private Tenure tenure(Occupant occupant) {
        return new Tenure(
                occupant.id(),
                occupant.pool(),
                occupant.leaf(),
                occupant.user(),
                occupant.gpus(),
                !occupant.facts().preemptible(),
                occupant.promisedEnd(problem.settings(), problem.asOf()),
                occupant.job().backfilled(),
                occupant.spots());
    }

    /** Counts the promise of GPUs being freed for {@code claimant} in its shares and keeps them on their nodes. */
    public void openPromise(Claimant claimant, ReservationView reservation, int pool) {
        pledges.open(claimant, reservation, pool);
    }

    /** Takes a promise back. */
    public void closePromise(Claimant claimant, ReservationView reservation, int pool) {
        pledges.close(claimant, reservation, pool);
    }

    /** Keeps the new place of a job that still leaves the old one; in the shares it counts there already. */
    public void openMove(Occupant mover, ReservationView reservation) {
        pledges.openMove(mover, reservation);
    }

    public Standing standing(Claimant claimant, int pool) {
        return holdings.standing(claimant, pool);
    }

    public boolean isPrivileged(Claimant claimant, int pool) {
        return holdings.isPrivileged(claimant, pool);
    }

    public Holdings holdings() {
        return holdings;
    }

    /** A leaf whose numbers changed in a pool other than by its own turn. */
    public record Touched(int pool, int leaf) {}

    /** Leaves touched since the last call. */
    public List<Touched> drainTouched() {
        var drained = List.copyOf(touched);
        touched.clear();
        return drained;
    }

    /** Pools whose shares were split again since the last call. */
    public SortedSet<Integer> drainSplit() {
        var drained = new TreeSet<>(split);
        split.clear();
        return drained;
    }

    /** A start of this pass. */
    public record Started(Claimant claimant, Layout layout) {}

    /** Starts {@code claimant}; what it holds and counts changes at once. */
    public void start(Claimant claimant, Layout layout, boolean backfilled, @Nullable ReservationId consumes) {
        int pool = layout.partition().pool();
        for (var spot : layout.spots()) {
            var amount = spot.amount();
            room.occupy(spot.node(), amount);
            if (!backfilled && !endsBeforeHeads(claimant, pool)) {
                room.useUpCap(spot.node(), amount);
            }
        }
        holdings.count(claimant, pool, 1);
        touched.add(new Touched(pool, claimant.leaf()));
        if (pool != claimant.pool()) {
            // What it wants it now wants here, and no longer where it queued.
            holdings.moveDemand(claimant, pool);
            split.add(pool);
            split.add(claimant.pool());
        }
        settled.set(claimant.number());
        decisions.add(starts.seat(claimant, layout, backfilled, consumes));
    }

    /** Frees the room of a start of this pass. */
    public void vacate(Claimant claimant) {
        starts.vacate(claimant);
    }

    /** Moves starts of this pass, which have not happened yet, to other places; no head may depend on them. */
    public void reseat(Map<Claimant, Layout> places) {
        var moved = starts.reseat(places);
        decisions.replaceAll(d -> d instanceof Decision.Start s ? moved.getOrDefault(s.job(), s) : d);
    }

    /** True when the job must have ended before any head of the pool is to start. */
    public boolean endsBeforeHeads(Claimant claimant, int pool) {
        var first = heads.firstStart(pool);
        return first != null
                && claimant.facts().walltime() != null
                && !starts.endIfNow(claimant).isAfter(first);
    }

    /** Asks a victim to leave: its node stays held, its GPUs count for whoever it leaves for. */
    public void evict(Occupant victim, Decision.RequestCheckpoint request) {
        leaving.set(victim.number());
        tenures.remove(victim);
        victim.spots().forEach(spot -> room.leave(spot.node(), spot.amount()));
        holdings.count(victim, -1);
        touched.add(new Touched(victim.pool(), victim.leaf()));
        decisions.add(request);
    }

    /** Keeps {@code layout} for {@code claimant} until {@code victims} and whoever else leaves are gone. */
    public void promise(Claimant claimant, Layout layout, List<JobId> victims) {
        int pool = layout.partition().pool();
        layout.spots().forEach(spot -> {
            room.promise(spot.node(), spot.amount());
            room.useUpCap(spot.node(), spot.amount());
        });
        holdings.count(claimant, pool, 1);
        settled.set(claimant.number());
        var placements = claimant.gang().number(layout, problem.fleet());
        decisions.add(new Decision.Reserve(
                claimant.id(), layout.partition().poolId(), Decision.Reserve.Kind.VICTIMS, placements, null, victims));
    }

    /** Keeps {@code layout}, which is free, for a job that was asked to leave its place: it goes on there. */
    public void relocate(Occupant mover, Gang gang, Layout layout) {
        layout.spots().forEach(spot -> {
            room.hold(spot.node(), spot.amount());
            room.useUpCap(spot.node(), spot.amount());
        });
        holdings.countWhole(mover);
        touched.add(new Touched(mover.pool(), mover.leaf()));
        var placements = gang.number(layout, problem.fleet());
        decisions.add(new Decision.Reserve(
                mover.id(), layout.partition().poolId(), Decision.Reserve.Kind.MOVE, placements, null, List.of()));
    }

    /**
     * Asks an elastic job to go on with another number of replicas: it leaves, and its next place is kept for it.
     *
     * @param as the job with that many replicas
     */
    public void resize(Occupant job, Claimant as, List<ReplicaPlacement> next, Decision.RequestCheckpoint request) {
        evict(job, request);
        for (var spot : Occupant.spots(next, problem.fleet())) {
            room.promise(spot.node(), spot.amount());
            room.useUpCap(spot.node(), spot.amount());
        }
        holdings.count(as, job.pool(), 1);
        decisions.add(new Decision.Reserve(
                job.id(),
                problem.fleet().pools().get(job.pool()).id(),
                Decision.Reserve.Kind.VICTIMS,
                next,
                null,
                List.of(job.id())));
    }

    /** Stops a job whose walltime is used up. */
    public void stop(Occupant occupant) {
        leaving.set(occupant.number());
        tenures.remove(occupant);
        occupant.spots().forEach(spot -> room.leave(spot.node(), spot.amount()));
        decisions.add(new Decision.Stop(occupant.id(), occupant.job().attempt()));
    }

    public void decide(Decision decision) {
        decisions.add(decision);
    }

    /** Marks a job as dealt with in this cycle: it keeps a promise and does not queue again. */
    public void settle(Claimant claimant) {
        settled.set(claimant.number());
    }

    /** Numbers of those who are settled, as they become it. */
    public BitSet settled() {
        return settled;
    }

    public boolean isSettled(Claimant claimant) {
        return settled.get(claimant.number());
    }

    /** True when it was asked to leave in this cycle. */
    public boolean isLeaving(Occupant occupant) {
        return leaving.get(occupant.number());
    }

    public @Nullable Layout startedAt(Claimant claimant) {
        return starts.placeOf(claimant);
    }

    /** Who was started in this pass, in that order. */
    public Collection<Started> started() {
        return starts.all();
    }

    public @Nullable ReservationView promiseOf(JobId job) {
        return pledges.of(job);
    }

    /** GPUs of a partition that are kept for somebody. */
    public record Kept(JobId job, int gpus, @Nullable Instant until) {}

    /** Who has GPUs of {@code partition} kept, beneficiaries of victims first. */
    public List<Kept> reservedIn(Partition partition) {
        var reserved = pledges.in(partition);
        heads.all().forEach(h -> {
            if (h.pool() == partition.pool()) {
                reserved.add(new Kept(h.claimant().id(), h.claimant().gpus(), null));
            }
        });
        return reserved;
    }

    /** GPUs that each user holds in the pool, as it changes. */
    public int[] held(int pool) {
        return holdings.held(pool);
    }

    public PoolShares shares(int pool) {
        return holdings.shares(pool);
    }

    public List<PoolShares> shares() {
        return holdings.shares();
    }

    public Heads heads() {
        return heads;
    }

    public Problem problem() {
        return problem;
    }

    public Room room() {
        return room;
    }

    public Placer placer() {
        return placer;
    }

    /** What is kept for shapes of guarantees. */
    public KeptDomains kept() {
        return kept;
    }

    public Tenures tenures() {
        return tenures;
    }

    public List<Decision> decisions() {
        return decisions;
    }
}
