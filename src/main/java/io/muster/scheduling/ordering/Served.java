package io.muster.scheduling.ordering;

import io.muster.model.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job has had so far, as the orders inside a team see it.
 *
 * @param gpus GPUs of the whole gang
 * @param ran how long it has run, all attempts together, the present one included
 * @param walltime how long it says it runs in all, or null
 * @param contention mean over its life so far of max(1, GPUs asked by all present / GPUs there are); 1 when unknown
 * @param kinds what it is, from the general to the special, as {@link RunTimeHistory} knows it; never empty
 */
public record Served(
        JobId id,
        Instant submittedAt,
        int gpus,
        Duration ran,
        @Nullable Duration walltime,
        double contention,
        List<String> kinds) {
    /** By submit time, then id. */
    public static final Comparator<Served> OLDEST =
            Comparator.comparing(Served::submittedAt).thenComparing(Served::id);

    public Served {
        kinds = List.copyOf(kinds);
    }
}
