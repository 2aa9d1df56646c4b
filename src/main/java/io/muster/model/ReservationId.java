package io.muster.model;

import java.util.UUID;

/** A reservation of GPUs on nodes. */
public record ReservationId(UUID value) implements Comparable<ReservationId> {
    @Override
    public int compareTo(ReservationId other) {
        return value.compareTo(other.value);
    }
}
