package io.muster.simulator.engine;

import io.muster.model.JobId;
import io.muster.model.TeamPath;
import io.muster.scheduling.placement.Placer;
import io.muster.scheduling.placement.Room;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.topology.Fleet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a planner sees: who waits, who runs, what is free. Kept up to date by the simulation, event by event. */
public final class World {
    private final Site site;
    private final Costs costs;
    private final Room room;
    private final Placer placer;
    private final TreeMap<JobId, SimulatedJob> waiting = new TreeMap<>();
    private final TreeMap<JobId, SimulatedJob> active = new TreeMap<>();
    private final TreeMap<JobId, ReservationView> reservations = new TreeMap<>();
    private final List<SimulatedJob> arrivals = new ArrayList<>();
    private final int[] waitingByShape;
    private final int[] teamGpus;
    private final int[] usedOnNode;
    private int waitingShapes;
    private int waitingGpus;
    private int usedGpus;
    private int brokenGpus;
    private boolean freed = true;
    long now;

    World(Site site, Costs costs, int shapes, int teams) {
        this.site = site;
        this.costs = costs;
        room = new Room(site.fleet());
        placer = new Placer(room);
        waitingByShape = new int[shapes];
        teamGpus = new int[teams];
        usedOnNode = new int[site.fleet().size()];
    }

    /** The instant of the virtual clock, in milliseconds. */
    public long now() {
        return now;
    }

    public Costs costs() {
        return costs;
    }

    public Site site() {
        return site;
    }

    public Fleet fleet() {
        return site.fleet();
    }

    /** What is free; a planner that tries something out takes it back. */
    public Room room() {
        return room;
    }

    public Placer placer() {
        return placer;
    }

    /** By submit time, then line. */
    public Collection<SimulatedJob> waiting() {
        return waiting.values();
    }

    /** Jobs that hold GPUs, those that leave included; by submit time, then line. */
    public Collection<SimulatedJob> active() {
        return active.values();
    }

    public @Nullable SimulatedJob waiting(JobId id) {
        return waiting.get(id);
    }

    public @Nullable SimulatedJob active(JobId id) {
        return active.get(id);
    }

    public Collection<ReservationView> reservations() {
        return reservations.values();
    }

    /** How many different shapes wait. */
    public int waitingShapes() {
        return waitingShapes;
    }

    public int waitingGpus() {
        return waitingGpus;
    }

    public int usedGpus() {
        return usedGpus;
    }

    /** Free GPUs of nodes that others use in part. */
    public int brokenGpus() {
        return brokenGpus;
    }

    /** GPUs that the team holds. */
    public int teamGpus(int team) {
        return teamGpus[team];
    }

    public List<TeamPath> teams() {
        return site.teams();
    }

    /** Whether GPUs came free since the last plan. */
    public boolean freed() {
        return freed;
    }

    /** Who began to wait since the last plan. */
    public List<SimulatedJob> arrivals() {
        return arrivals;
    }

    void planned() {
        freed = false;
        arrivals.clear();
    }

    void queue(SimulatedJob job) {
        waiting.put(job.id(), job);
        arrivals.add(job);
        waitingGpus += job.gpus();
        waitingShapes += waitingByShape[job.shape()]++ == 0 ? 1 : 0;
    }

    void unqueue(SimulatedJob job) {
        waiting.remove(job.id());
        waitingGpus -= job.gpus();
        waitingShapes -= --waitingByShape[job.shape()] == 0 ? 1 : 0;
    }

    void occupy(SimulatedJob job) {
        active.put(job.id(), job);
        job.spots.forEach(s -> room.occupy(s.node(), s.amount()));
        count(job, 1);
    }

    /** The job was asked to leave: what it holds counts for what comes after. */
    void leave(SimulatedJob job) {
        job.spots.forEach(s -> room.leave(s.node(), s.amount()));
    }

    /** A leaving job ({@code left}), or one that ends by itself, gives its GPUs back. */
    void vacate(SimulatedJob job, boolean left) {
        active.remove(job.id());
        for (var s : job.spots) {
            if (left) room.spare(s.node(), s.amount());
            room.occupy(s.node(), s.amount().times(-1));
        }
        count(job, -1);
        freed = true;
    }

    private void count(SimulatedJob job, int sign) {
        for (var s : job.spots) {
            int gpus = s.amount().gpus();
            brokenGpus -= broken(s.node());
            usedOnNode[s.node()] += sign * gpus;
            brokenGpus += broken(s.node());
            usedGpus += sign * gpus;
            teamGpus[job.team()] += sign * gpus;
        }
    }

    private int broken(int node) {
        int used = usedOnNode[node];
        return used == 0 ? 0 : fleet().ours(node).gpus() - used;
    }

    void reserve(ReservationView reservation) {
        reservations.put(reservation.job(), reservation);
    }

    void unreserve(JobId job) {
        freed |= reservations.remove(job) != null;
    }

    @Nullable ReservationView reservation(JobId job) {
        return reservations.get(job);
    }
}
