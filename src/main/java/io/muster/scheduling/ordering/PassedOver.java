package io.muster.scheduling.ordering;

import io.muster.scheduling.problem.Claimant;
import java.util.BitSet;

/**
 * Who has no turn, read at every question.
 *
 * @param gone numbers of jobs that wait no more
 * @param settled numbers of jobs that have been dealt with
 * @param blocked kinds and families that are known to find nothing
 */
public record PassedOver(BitSet gone, BitSet settled, BitSet blocked) {
    /** True when the job itself is passed over, whatever its family. */
    boolean job(Claimant job) {
        return gone.get(job.number()) || settled.get(job.number()) || (job.kind() >= 0 && blocked.get(job.kind()));
    }

    boolean familyOf(Claimant job) {
        return job.family() >= 0 && blocked.get(job.family());
    }
}
