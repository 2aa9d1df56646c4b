package io.muster.cycle;

import io.muster.model.JobId;
import io.muster.scheduling.snapshot.ReservationView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reservation as the ledger keeps it.
 *
 * @param freeSince when the last of its victims was gone, or null: not yet
 */
record Promise(
        ReservationView view, List<JobId> victims, @Nullable Instant freeSince) {
    Promise {
        victims = List.copyOf(victims);
    }
}
