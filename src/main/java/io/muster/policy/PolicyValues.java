package io.muster.policy;

import io.muster.model.TeamOrder;
import java.time.Duration;

/**
 * The scheduling policy, every value with a default as shipped.
 *
 * @param minRuntime a job that runs for less is no victim
 * @param defaultGrace grace of a checkpoint when the document gives none
 * @param maxGrace the longest grace that may be asked for
 * @param startDeadline a gang that does not run by then is rolled back
 * @param reservationExpiry how long freed GPUs are kept for a beneficiary that does not start
 * @param agingStep waiting this long raises priority by one step
 * @param agingPerStep points of one step
 * @param agingMost the most that waiting adds
 * @param usageHalfLife half-life of past use
 * @param usageStrength how much past use bends the surplus
 * @param reclaimPercent most of a pool reclaimed per window outside guarantees
 * @param reclaimWindow that window
 * @param preemptionsPerDay a job preempted this often is protected
 * @param protectFor for how long
 * @param infrastructureRetries attempts that the machine's faults may cost
 * @param backoffFirst first back-off after a failure, doubled each time
 * @param backoffMost longest back-off
 * @param reservationDepth blocked heads per pool that get a reservation
 * @param defaultRunTime assumed length of a job without walltime
 * @param hangTimeout a program that was heard before and is silent for this long is taken to hang
 * @param hangAction what follows then
 * @param order which of a team's jobs goes first where neither the team nor one above it says so
 */
public record PolicyValues(
        Duration minRuntime,
        Duration defaultGrace,
        Duration maxGrace,
        Duration startDeadline,
        Duration reservationExpiry,
        Duration agingStep,
        int agingPerStep,
        int agingMost,
        Duration usageHalfLife,
        double usageStrength,
        int reclaimPercent,
        Duration reclaimWindow,
        int preemptionsPerDay,
        Duration protectFor,
        int infrastructureRetries,
        Duration backoffFirst,
        Duration backoffMost,
        int reservationDepth,
        Duration defaultRunTime,
        Duration hangTimeout,
        HangAction hangAction,
        TeamOrder order) {
    public static final PolicyValues SHIPPED = new PolicyValues(
            Duration.ofMinutes(10),
            Duration.ofMinutes(2),
            Duration.ofMinutes(30),
            Duration.ofMinutes(10),
            Duration.ofMinutes(15),
            Duration.ofHours(1),
            10,
            100,
            Duration.ofDays(7),
            1.0,
            20,
            Duration.ofMinutes(10),
            4,
            Duration.ofHours(1),
            10,
            Duration.ofSeconds(10),
            Duration.ofMinutes(10),
            1,
            Duration.ofHours(24),
            Duration.ofMinutes(30),
            HangAction.ALERT,
            TeamOrder.FIFO);
}
