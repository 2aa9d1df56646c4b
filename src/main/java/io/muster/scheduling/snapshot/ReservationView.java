package io.muster.scheduling.snapshot;

import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.ReservationId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * GPUs kept for a job.
 *
 * @param kind VICTIMS: being freed by victims for this beneficiary; HEAD: the first blocked job of its pool;
 *     MOVE: the new place of a job that makes room for another, kept while it saves and until it starts there
 * @param placements where the job is to go, once all is free
 * @param startAt when it can start, or null: when its victims are gone
 * @param expiresAt given up after this: the policy's {@code reservationExpiry} after its GPUs came free; null while
 *     victims still hold some of them, and for HEAD
 */
public record ReservationView(
        ReservationId id,
        JobId job,
        PoolId pool,
        Kind kind,
        List<ReplicaPlacement> placements,
        @Nullable Instant startAt,
        @Nullable Instant expiresAt) {

    /** Why GPUs are kept. */
    public enum Kind {
        VICTIMS,
        HEAD,
        MOVE
    }

    public ReservationView {
        placements = List.copyOf(placements);
    }
}
