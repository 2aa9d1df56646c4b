package io.muster.simulator.engine;

import io.muster.lifecycle.Life;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.ReplicaPlacement;
import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.problem.Occupant.Spot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.topology.Partition;
import io.muster.simulator.trace.RecordedJob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job of the workload as it lives in a run. Times are milliseconds of the virtual clock. */
public final class SimulatedJob {
    /** Not yet, or never. */
    public static final long NEVER = Long.MAX_VALUE;

    private final RecordedJob recorded;
    private final JobFacts facts;
    private final Gang gang;
    private final int shape;
    private final List<Partition> options;
    private final int team;
    private final long submitted;
    private final long work;

    // What changes, by the simulation alone.
    Life life = Life.of(JobState.QUEUED);
    int attempts;
    int preemptions;
    long firstStart = NEVER;
    long waitingSince;
    long placed = NEVER;
    long running = NEVER;
    long ended = NEVER;
    long done;
    long held;
    long lost;
    boolean backfilled;

    @Nullable JobId leavingFor;

    List<ReplicaPlacement> placements = List.of();
    List<Spot> spots = List.of();
    long[] preemptedAt = {};

    SimulatedJob(
            RecordedJob recorded,
            JobFacts facts,
            Gang gang,
            int shape,
            List<Partition> options,
            int team,
            long submitted) {
        this.recorded = recorded;
        this.facts = facts;
        this.gang = gang;
        this.shape = shape;
        this.options = List.copyOf(options);
        this.team = team;
        this.submitted = submitted;
        this.waitingSince = submitted;
        this.work = recorded.runTime().toMillis();
    }

    public RecordedJob recorded() {
        return recorded;
    }

    public JobFacts facts() {
        return facts;
    }

    public JobId id() {
        return facts.id();
    }

    public Gang gang() {
        return gang;
    }

    public int gpus() {
        return gang.gpus();
    }

    /** Equal numbers ask for the same and may lie in the same places. */
    public int shape() {
        return shape;
    }

    /** Where it may lie, in its order of preference. */
    public List<Partition> options() {
        return options;
    }

    /** Its team's number in the run. */
    public int team() {
        return team;
    }

    public Life life() {
        return life;
    }

    public boolean isLeaving() {
        return life.after() != null && life.after() != Life.After.RUNNING;
    }

    public long submitted() {
        return submitted;
    }

    /** How long it must work in all; only an oracle knows. */
    public long work() {
        return work;
    }

    /** How long it has worked. */
    public long done(long now) {
        return done + (life.state() == JobState.RUNNING ? now - running : 0);
    }

    /** How long it still has to work; only an oracle knows. */
    public long remaining(long now) {
        return work - done(now);
    }

    /** How long it has held its GPUs. */
    public long held(long now) {
        return held + (placed == NEVER ? 0 : now - placed);
    }

    /** When the present attempt got its GPUs, or {@link #NEVER}. */
    public long placed() {
        return placed;
    }

    /** Since when the present attempt works, or {@link #NEVER}. */
    public long runningSince() {
        return running;
    }

    public long waitingSince() {
        return waitingSince;
    }

    public long firstStart() {
        return firstStart;
    }

    public long ended() {
        return ended;
    }

    /** GPUs held, without working, for restarts and saves, in all. */
    public long lost() {
        return lost;
    }

    public int attempts() {
        return attempts;
    }

    public int preemptions() {
        return preemptions;
    }

    public boolean backfilled() {
        return backfilled;
    }

    public @Nullable JobId leavingFor() {
        return leavingFor;
    }

    public List<ReplicaPlacement> placements() {
        return placements;
    }

    /** What it holds, by node. */
    public List<Spot> spots() {
        return spots;
    }

    /** How often it was preempted after {@code since}. */
    public int preemptionsSince(long since) {
        int n = 0;
        while (n < preemptedAt.length && preemptedAt[preemptedAt.length - 1 - n] > since) n++;
        return n;
    }
}
