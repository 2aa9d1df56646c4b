package io.muster.scheduling.ordering;

import io.muster.scheduling.problem.Claimant;
import java.util.BitSet;

/**
 * Who has no turn, read at every question.
 *
 * @param gone numbers of jobs that wait no more
 * @param settled numbers of jobs that have been dealt with
 * @param refused jobs that are known to find nothing
 */
public record PassedOver(BitSet gone, BitSet settled, Refused refused) {
    /** True when the job itself is passed over, whatever its family. */
    boolean job(Claimant job) {
        return gone.get(job.number()) || settled.get(job.number()) || refused.has(job);
    }

    boolean familyOf(Claimant job) {
        return refused.hasFamilyOf(job);
    }
}
