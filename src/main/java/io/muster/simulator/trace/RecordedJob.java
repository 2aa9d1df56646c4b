package io.muster.simulator.trace;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job of a recorded workload.
 *
 * @param line where it stands in its file, from 1
 * @param name what the trace calls it
 * @param submittedAt when, by the trace's clock
 * @param runTime how long it works, once all its GPUs are there
 * @param gpus how many it holds
 * @param wants what else it asks for
 * @param owner whose it is
 * @param walltime how long it says it may run, or null
 */
public record RecordedJob(
        int line,
        String name,
        Instant submittedAt,
        Duration runTime,
        int gpus,
        Wants wants,
        Owner owner,
        @Nullable Duration walltime) {

    /**
     * What a job asks for beside a number of GPUs; all of it for the whole job.
     *
     * @param cpuMillis thousandths of a CPU, 0: not said
     * @param memoryBytes bytes of main memory, 0: not said
     * @param gpuTypes acceptable types, empty: any
     */
    public record Wants(long cpuMillis, long memoryBytes, List<String> gpuTypes) {
        public static final Wants GPUS_ONLY = new Wants(0, 0, List.of());

        public Wants {
            gpuTypes = List.copyOf(gpuTypes);
        }
    }

    /**
     * Whose a job is, and what a person would call its kind.
     *
     * @param kind jobs of one kind run about as long: the name of a job, a model; empty: not said
     */
    public record Owner(String team, String user, String kind) {}

    /** The same job, run for at most {@code longest}. */
    public RecordedJob cutAt(Duration longest) {
        return runTime.compareTo(longest) <= 0
                ? this
                : new RecordedJob(line, name, submittedAt, longest, gpus, wants, owner, walltime);
    }
}
