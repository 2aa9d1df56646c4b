package io.muster.simulation;

import io.muster.gateway.ReplicaPhase;
import io.muster.model.FailureClass;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When one pod does what; null: not as things stand.
 *
 * @param pulling it is on its node and waits for its image
 * @param unpullable it becomes known that the image will never come
 * @param running its container runs
 * @param terminating it is told to go while it lives
 * @param end its container, or the pod as a whole, ends
 * @param gone it does not exist any more
 */
record PodTimes(
        Instant pulling,
        @Nullable Instant unpullable,
        @Nullable Instant running,
        @Nullable Instant terminating,
        @Nullable End end,
        @Nullable Instant gone) {

    /** How a pod ended: {@code failure} is null exactly when it succeeded. */
    record End(
            Instant at,
            String reason,
            @Nullable Integer exitCode,
            @Nullable FailureClass failure,
            @Nullable String message) {
        ReplicaPhase phase() {
            return failure == null ? ReplicaPhase.SUCCEEDED : ReplicaPhase.FAILED;
        }

        static End exit(Instant at, int code, @Nullable String message) {
            return code == 0
                    ? new End(at, "Completed", 0, null, message)
                    : new End(at, "Error", code, FailureClass.USER_ERROR, message);
        }

        /** It did as it was told: neither its fault nor a success. */
        static End stopped(Instant at, int code, String message) {
            return new End(at, "Error", code, FailureClass.CANCELLED, message);
        }
    }
}
