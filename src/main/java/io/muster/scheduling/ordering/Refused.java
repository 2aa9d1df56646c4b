package io.muster.scheduling.ordering;

import io.muster.scheduling.problem.Claimant;
import java.util.Arrays;
import java.util.BitSet;

/**
 * For whom one that found nothing speaks: all of its kind, or all of its family that run at least so long. A shorter
 * promise never gets less than a longer one.
 */
public final class Refused {
    private static final long ALL = 0;
    private static final long NONE = -1;

    private final BitSet kinds = new BitSet();
    private long[] shortest = {};

    /** Nobody of the claimant's kind has another turn. */
    public void kindOf(Claimant claimant) {
        kinds.set(claimant.kind());
    }

    /** Nobody of the claimant's family has another turn that promises to run {@code from} nanoseconds or more. */
    public void familyOf(Claimant claimant, long from) {
        int family = claimant.family();
        if (family >= shortest.length) {
            int known = shortest.length;
            shortest = Arrays.copyOf(shortest, family + family / 2 + 16);
            Arrays.fill(shortest, known, shortest.length, NONE);
        }
        shortest[family] = shortest[family] == NONE ? from : Math.min(shortest[family], from);
    }

    /** True when another has spoken for the job. */
    public boolean has(Claimant claimant) {
        if (claimant.kind() < 0) {
            return false;
        }
        long from = from(claimant);
        return (from != NONE && claimant.runs() >= from) || kinds.get(claimant.kind());
    }

    /** True when another has spoken for all of the job's family. */
    boolean hasFamilyOf(Claimant claimant) {
        return from(claimant) == ALL;
    }

    private long from(Claimant claimant) {
        int family = claimant.family();
        return family >= 0 && family < shortest.length ? shortest[family] : NONE;
    }
}
