package io.muster.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a job waits, as data: numbers and ids only, text is made at the edge. The first reason of an explanation binds:
 * without it the job could start, or would meet the next.
 */
public sealed interface Reason {

    /** A stable word for the kind, as REST carries it. */
    String kind();

    /** No domain of the whole pool, empty and healthy, could ever hold the gang. */
    record NeverFits(
            @Nullable PoolId pool,
            int gpusWanted,
            @Nullable String level,
            int largestGpus,
            DomainPath largestDomain,
            @Nullable Slices slices)
            implements Reason {
        /** Of a gang without slices. */
        public NeverFits(
                @Nullable PoolId pool,
                int gpusWanted,
                @Nullable String level,
                int largestGpus,
                DomainPath largestDomain) {
            this(pool, gpusWanted, level, largestGpus, largestDomain, null);
        }

        @Override
        public String kind() {
            return "never-fits";
        }
    }

    /** The limit of a team (the job's own or one above it) leaves too little. */
    record TeamLimit(TeamId team, PoolId pool, int gpusWanted, int inUse, int limit) implements Reason {
        @Override
        public String kind() {
            return "team-limit";
        }
    }

    /** The user's own cap inside the team leaves too little. */
    record UserLimit(TeamId team, UserId user, PoolId pool, int gpusWanted, int inUse, int limit) implements Reason {
        @Override
        public String kind() {
            return "user-limit";
        }
    }

    /** The team uses what it deserves now, and may not take from others beyond it. */
    record QuotaInUse(TeamId team, PoolId pool, int gpusWanted, int allocated, int deserved, int entitled)
            implements Reason {
        @Override
        public String kind() {
            return "quota-in-use";
        }
    }

    /** A non-preemptible job runs inside its team's guarantee only. */
    record GuaranteeInUse(TeamId team, PoolId pool, int gpusWanted, int inUse, int guaranteed) implements Reason {
        @Override
        public String kind() {
            return "guarantee-in-use";
        }
    }

    /** Others stand before it in the order and take what is free. */
    record Order(PoolId pool, int place, int jobsBefore, int gpusBefore, List<JobId> before) implements Reason {
        public Order {
            before = List.copyOf(before);
        }

        @Override
        public String kind() {
            return "priority";
        }
    }

    /**
     * Fewer GPUs are free in the whole pool than the gang needs.
     *
     * @param level of which one domain must hold the whole gang, null: any nodes of the pool do
     */
    record Capacity(
            PoolId pool,
            int gpusWanted,
            @Nullable String level,
            int gpusFree,
            int gpusUnavailable,
            List<Holder> holders)
            implements Reason {
        public Capacity {
            holders = List.copyOf(holders);
        }

        @Override
        public String kind() {
            return "capacity";
        }
    }

    /** Enough GPUs (or CPUs, memory) are free in sum, but not together on single nodes. */
    record Fragmentation(
            PoolId pool, int replicasWanted, Resources each, int replicasFit, int gpusFree, List<NodeGap> nearest)
            implements Reason {
        public Fragmentation {
            nearest = List.copyOf(nearest);
        }

        @Override
        public String kind() {
            return "fragmentation";
        }
    }

    /**
     * No one domain of the level has room for the whole gang; the best one has {@code replicasFit}. With slices only
     * whole ones count, and where the gang may lie anywhere the level is theirs.
     */
    record Topology(
            PoolId pool,
            String level,
            int replicasWanted,
            Resources each,
            DomainPath best,
            int replicasFit,
            @Nullable Instant relaxesAt,
            List<NodeGap> nodes,
            @Nullable Slices slices)
            implements Reason {
        public Topology {
            nodes = List.copyOf(nodes);
        }

        /** Of a gang without slices. */
        public Topology(
                PoolId pool,
                String level,
                int replicasWanted,
                Resources each,
                DomainPath best,
                int replicasFit,
                @Nullable Instant relaxesAt,
                List<NodeGap> nodes) {
            this(pool, level, replicasWanted, each, best, replicasFit, relaxesAt, nodes, null);
        }

        @Override
        public String kind() {
            return "topology";
        }
    }

    /** GPUs that would do are kept for another job. */
    record ReservedForAnother(
            PoolId pool,
            JobId beneficiary,
            int gpus,
            @Nullable Instant until) implements Reason {
        @Override
        public String kind() {
            return "reserved";
        }
    }

    /** Victims were asked to yield; the GPUs are kept for this job. */
    record WaitingForVictims(
            PoolId pool,
            List<JobId> victims,
            int gpus,
            @Nullable Instant latest) implements Reason {
        public WaitingForVictims {
            victims = List.copyOf(victims);
        }

        @Override
        public String kind() {
            return "waiting-for-victims";
        }
    }

    /** A person or the system holds the job. */
    record Held(String why) implements Reason {
        @Override
        public String kind() {
            return "held";
        }
    }

    /** It failed lately and waits before the next attempt. */
    record Backoff(Instant until, FailureClass after, int attempt) implements Reason {
        @Override
        public String kind() {
            return "backoff";
        }
    }

    /** Scheduling is paused: everywhere, in the pool or in the team. */
    record Paused(@Nullable PoolId pool, @Nullable TeamId team, String mode, String why) implements Reason {
        @Override
        public String kind() {
            return "paused";
        }
    }

    /** Preemption is frozen, and only preemption would help. */
    record PreemptionFrozen(String why) implements Reason {
        @Override
        public String kind() {
            return "preemption-frozen";
        }
    }

    /** Only preemption would help, and nobody yields for an image that attempt {@code attempt} could not pull. */
    record ImageUnseen(int attempt) implements Reason {
        @Override
        public String kind() {
            return "image-unseen";
        }
    }

    /** It was submitted after the last cycle; the next one decides. */
    record NotYetPlanned() implements Reason {
        @Override
        public String kind() {
            return "not-yet-planned";
        }
    }
}
