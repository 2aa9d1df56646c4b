package io.muster.scheduling.snapshot;

import java.time.Duration;

/**
 * The numbers of the scheduling policy that the core reads; defaults as shipped in {@link #SHIPPED}.
 *
 * @param minRuntime a job that runs for less is no victim
 * @param agingStep waiting this long raises priority by one step
 * @param agingPerStep priority points of one step
 * @param agingMost the most that waiting can add (one class: 100)
 * @param reservationDepth blocked heads per pool that get a reservation
 * @param reservationExpiry how long freed GPUs are kept for a beneficiary that does not start
 * @param reclaimPercent most of a pool's GPUs reclaimed per {@code reclaimWindow} outside guarantees
 * @param reclaimWindow the window of that rate
 * @param preemptionsPerDay a job preempted this often in 24 hours is protected
 * @param protectFor for how long
 * @param usageStrength how much past use bends the surplus; 0: not at all
 * @param defaultRunTime assumed length of a job without walltime when an end must be estimated
 */
public record PolicySettings(
        Duration minRuntime,
        Duration agingStep,
        int agingPerStep,
        int agingMost,
        int reservationDepth,
        Duration reservationExpiry,
        int reclaimPercent,
        Duration reclaimWindow,
        int preemptionsPerDay,
        Duration protectFor,
        double usageStrength,
        Duration defaultRunTime) {

    public static final PolicySettings SHIPPED = new PolicySettings(
            Duration.ofMinutes(10),
            Duration.ofHours(1),
            10,
            100,
            1,
            Duration.ofMinutes(15),
            20,
            Duration.ofMinutes(10),
            4,
            Duration.ofHours(1),
            1.0,
            Duration.ofHours(24));
}
