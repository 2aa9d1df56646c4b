package io.muster.job;

import io.muster.lifecycle.Life;
import io.muster.model.FailureClass;
import io.muster.policy.PolicyValues;
import java.time.Duration;

/** What follows a failure, by its class; every class has a budget of its own, so that no fault eats another's. */
final class RetryPolicy {
    /** An image that cannot be pulled is most often a typing error; three nodes have said so. */
    private static final int IMAGE_RETRIES = 3;

    private RetryPolicy() {}

    /** Which of a job's counters a retry adds to. */
    enum Budget {
        USER,
        INFRASTRUCTURE,
        NONE
    }

    /**
     * What follows.
     *
     * @param then QUEUED or FAILED
     * @param backoff how long it waits before the next attempt
     * @param avoidNode whether the nodes at fault are left out for this job
     */
    record Verdict(Life.After then, Budget budget, Duration backoff, boolean avoidNode) {}

    /**
     * @param failure how the attempt broke
     * @param userRetries retries that the document allows on the user's own failures
     * @param userRetriesUsed how many of them are gone
     * @param sameBefore earlier attempts of the job that broke in the same way
     */
    static Verdict decide(
            FailureClass failure, int userRetries, int userRetriesUsed, int sameBefore, PolicyValues policy) {
        return switch (failure) {
            case USER_ERROR, OUT_OF_MEMORY ->
                bounded(userRetriesUsed, userRetries, Budget.USER, backoff(userRetriesUsed, policy), false);
            // The next place is another one anyway, so the first retry need not wait.
            case NODE_LOST -> infrastructure(sameBefore, policy, atOnceFirst(sameBefore, policy), false);
            case GPU_FAULT -> infrastructure(sameBefore, policy, atOnceFirst(sameBefore, policy), true);
            case ADMISSION, START_TIMEOUT -> infrastructure(sameBefore, policy, backoff(sameBefore, policy), true);
            case IMAGE ->
                bounded(
                        sameBefore,
                        Math.min(IMAGE_RETRIES, policy.infrastructureRetries()),
                        Budget.INFRASTRUCTURE,
                        backoff(sameBefore, policy),
                        true);
            case HANG, UNKNOWN -> infrastructure(sameBefore, policy, backoff(sameBefore, policy), false);
            case PREEMPTED -> new Verdict(Life.After.QUEUED, Budget.NONE, Duration.ZERO, false);
            case DEADLINE, CANCELLED, SUCCESS -> new Verdict(Life.After.FAILED, Budget.NONE, Duration.ZERO, false);
        };
    }

    private static Verdict infrastructure(int used, PolicyValues policy, Duration backoff, boolean avoidNode) {
        return bounded(used, policy.infrastructureRetries(), Budget.INFRASTRUCTURE, backoff, avoidNode);
    }

    private static Verdict bounded(int used, int most, Budget budget, Duration backoff, boolean avoidNode) {
        return used < most
                ? new Verdict(Life.After.QUEUED, budget, backoff, avoidNode)
                : new Verdict(Life.After.FAILED, Budget.NONE, Duration.ZERO, avoidNode);
    }

    private static Duration atOnceFirst(int before, PolicyValues policy) {
        return before == 0 ? Duration.ZERO : backoff(before - 1, policy);
    }

    /** The first back-off doubled for each failure before, up to the longest. */
    private static Duration backoff(int before, PolicyValues policy) {
        Duration backoff = policy.backoffFirst();
        for (int i = 0; i < before && backoff.compareTo(policy.backoffMost()) < 0; i++) {
            backoff = backoff.multipliedBy(2);
        }
        return backoff.compareTo(policy.backoffMost()) < 0 ? backoff : policy.backoffMost();
    }
}
