package io.muster.job;

import io.muster.model.DomainPath;
import io.muster.model.Explanation;
import io.muster.model.Explanation.StartBy;
import io.muster.model.GpuTypeId;
import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.model.Reason;
import io.muster.model.ReplicaPlacement;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks the core about a job that does not exist yet; implemented by the cycle. */
public interface Feasibility {

    /** Empty when the whole fleet, healthy and idle, could hold it; else the largest that it could. */
    Optional<Reason.NeverFits> neverFits(TeamId team, JobDocument document);

    /** What would happen if it were submitted now. */
    Outlook preview(TeamId team, UserId user, JobDocument document);

    /** Why a waiting job waits, freshly computed, with verified remedies; empty when it does not wait. */
    Optional<Explanation> explain(JobId job);

    /**
     * What would happen.
     *
     * @param startsNow true when the next cycle would start it without victims
     * @param pool where, when it starts now or after victims
     * @param placements every replica, empty when it would wait
     * @param victims jobs that would be asked to yield, empty when none
     * @param gpuSecondsLost what they would redo if they did not save: their work since the last checkpoint, and their
     *     restarts; one that saves when it is asked loses less
     * @param reasons why it would wait, binding first; empty when it starts
     * @param place its place in order, from 1
     * @param start when a job that waits is likely to start; null: nobody knows, or it does not wait
     */
    record Outlook(
            boolean startsNow,
            @Nullable PoolId pool,
            @Nullable GpuTypeId gpuType,
            @Nullable DomainPath domain,
            List<ReplicaPlacement> placements,
            List<JobId> victims,
            long gpuSecondsLost,
            List<Reason> reasons,
            int place,
            @Nullable Start start) {
        public Outlook {
            placements = List.copyOf(placements);
            victims = List.copyOf(victims);
            reasons = List.copyOf(reasons);
        }
    }

    /**
     * When it is likely to start.
     *
     * @param expected it has started by then with an even chance
     * @param latest it has started by then in nine of ten cases, or null: nobody knows
     * @param by where the two come from
     */
    record Start(Instant expected, @Nullable Instant latest, StartBy by) {
        /** Null without an expected start. */
        public static @Nullable Start of(@Nullable Instant expected, @Nullable Instant latest, StartBy by) {
            return expected == null ? null : new Start(expected, latest, by);
        }
    }
}
