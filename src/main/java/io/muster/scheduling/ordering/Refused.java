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
    private long[] longest = {};

    /** Nobody of the claimant's kind has another turn. */
    public void kindOf(Claimant claimant) {
        kinds.set(claimant.kind());
    }

    /** Nobody of the claimant's family has another turn that promises to run {@code from} nanoseconds or more. */
    public void familyOf(Claimant claimant, long from) {
        int family = claimant.family();
        if (family >= longest.length) {
            int known = longest.length;
            longest = Arrays.copyOf(longest, family + family / 2 + 16);
            Arrays.fill(longest, known, longest.length, NONE);
        }
        longest[family] = longest[family] == NONE ? from : Math.min(longest[family], from);
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
        return family >= 0 && family < longest.length ? longest[family] : NONE;
    }
}
