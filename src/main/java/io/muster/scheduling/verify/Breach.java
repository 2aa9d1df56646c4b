package io.muster.scheduling.verify;

import io.muster.model.JobId;
import io.muster.scheduling.plan.Decision;
import org.jspecify.annotations.Nullable;

/**
 * A rule that a plan breaks.
 *
 * @param rule which one
 * @param job the job whose decision breaks it
 * @param decision the decision at fault, to be dropped; null when the plan as a whole is at fault
 * @param detail numbers and names, for the log
 */
public record Breach(Rule rule, JobId job, @Nullable Decision decision, String detail) {

    /** The rules. */
    public enum Rule {
        UNKNOWN_JOB,
        DECIDED_TWICE,
        GANG_NOT_WHOLE,
        WRONG_POOL_OR_TYPE,
        NODE_TAKES_NO_REPLICAS,
        EXCLUDED_NODE,
        CAPACITY,
        TOPOLOGY,
        TEAM_LIMIT,
        USER_CAP,
        GUARANTEE,
        WITHHELD,
        BACKOFF,
        RESERVATION,
        HEAD_SHARE,
        VICTIM_PROTECTED,
        VICTIM_RULE,
        VICTIM_NOT_NEEDED,
        IMAGE_UNSEEN,
        MODE,
        NO_BENEFICIARY,
        NO_NEW_PLACE,
        RESIZE,
        KEPT_FOR_SHAPE,
        WALLTIME
    }
}
