package io.muster.scheduling.plan;

import io.muster.model.AttemptId;
import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.ReservationId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One thing to do; what carries it out has no choices left to make. */
public sealed interface Decision {

    JobId job();

    /**
     * Start the whole gang now; an elastic one with as many replicas as there are placements.
     *
     * @param placements every replica, in rank order (neighbours in number are neighbours in the tree)
     * @param level the level whose one domain holds the gang, or null: it spreads over the pool
     * @param domain that domain
     * @param backfilled it runs on room kept for others: no minRuntime and no share protects it against them
     * @param consumes its reservation, which ends with the start, or null
     */
    record Start(
            JobId job,
            PoolId pool,
            GpuTypeId gpuType,
            List<ReplicaPlacement> placements,
            @Nullable String level,
            DomainPath domain,
            boolean backfilled,
            @Nullable ReservationId consumes)
            implements Decision {
        public Start {
            placements = List.copyOf(placements);
        }
    }

    /**
     * Keep GPUs for a job; replaces any reservation that the job has. For a job that runs it stands after the request that
     * asks it to save: its next place is kept from then on. One that moves goes on elsewhere; an elastic one that goes on
     * with another number of replicas is its own and only victim.
     */
    record Reserve(
            JobId job,
            PoolId pool,
            Kind kind,
            List<ReplicaPlacement> placements,
            @Nullable Instant startAt,
            List<JobId> victims)
            implements Decision {
        public Reserve {
            placements = List.copyOf(placements);
            victims = List.copyOf(victims);
        }

        /** As in {@link io.muster.scheduling.snapshot.ReservationView.Kind}. */
        public enum Kind {
            VICTIMS,
            HEAD,
            MOVE
        }
    }

    /** Give up a reservation: its job started, ended, or can no longer use it. */
    record Unreserve(JobId job, ReservationId reservation, String why) implements Decision {}

    /**
     * Ask a victim to save and stop; its GPUs are kept for the beneficiary. How the victim is asked (signal, or SIGTERM
     * with grace) is the job's own way, not the plan's choice.
     *
     * @param job the victim
     * @param beneficiary for whom it yields; itself when it is to grow
     * @param cause RECLAIM between teams, PREEMPTION inside a team, TURN by the team's order, ACROSS_TEAMS by a privileged
     *     class, SHAPE out of a domain that another's guarantee covers, MOVE to a place that is kept for it, RESIZE to grow
     * @param gpusFreed what others get of it: all it holds, or what an elastic job gives up; 0 when it grows
     * @param gpuSecondsLost work since its last checkpoint plus its restart, in GPU-seconds
     * @param guaranteed the beneficiary's team is within its guarantee, so that no rate limit counts this
     */
    record RequestCheckpoint(
            JobId job,
            AttemptId attempt,
            JobId beneficiary,
            Cause cause,
            int gpusFreed,
            long gpuSecondsLost,
            boolean guaranteed)
            implements Decision {
        public RequestCheckpoint(
                JobId job, AttemptId attempt, JobId beneficiary, Cause cause, int gpusFreed, long gpuSecondsLost) {
            this(job, attempt, beneficiary, cause, gpusFreed, gpuSecondsLost, false);
        }
    }

    /** Why a job must yield. */
    enum Cause {
        RECLAIM,
        PREEMPTION,
        TURN,
        ACROSS_TEAMS,
        BACKFILL,
        SHAPE,
        MOVE,
        RESIZE
    }

    /** Stop a job through its checkpoint because its walltime is used up. */
    record Stop(JobId job, AttemptId attempt) implements Decision {}
}
