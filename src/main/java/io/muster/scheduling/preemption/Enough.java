package io.muster.scheduling.preemption;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.topology.Partition;
import java.util.Arrays;

/** Whether a gang has room once all who leave already are gone: one answer for all of a shape until the room changes. */
final class Enough {
    private static final long NEVER = -1;

    private final Draft draft;
    private long[] asOf = {};
    private boolean[] answers = {};

    Enough(Draft draft) {
        this.draft = draft;
    }

    /** {@code guaranteed}: what is reserved for heads counts as room. Only for gangs of one kind that may lie anywhere. */
    boolean holds(Claimant claimant, Partition partition, boolean guaranteed) {
        var kind = claimant.gang().kinds().getFirst();
        if (claimant.gang().kinds().size() > 1 || kind.slices() != null || claimant.excluded() != null) {
            return false;
        }
        int question = (claimant.shape() * draft.problem().fleet().partitions().size() + partition.number()) * 2
                + (guaranteed ? 1 : 0);
        if (question >= asOf.length) {
            int known = asOf.length;
            asOf = Arrays.copyOf(asOf, question + question / 2 + 16);
            answers = Arrays.copyOf(answers, asOf.length);
            Arrays.fill(asOf, known, asOf.length, NEVER);
        }
        long version = draft.room().version();
        if (asOf[question] != version) {
            asOf[question] = version;
            var plane = guaranteed ? draft.room().future() : draft.room().futureStrict();
            answers[question] =
                    draft.room().count(plane, partition.from(), partition.to(), null, kind.each(), kind.replicas())
                            >= kind.replicas();
        }
        return answers[question];
    }
}
