package io.muster.scheduling.problem;

import io.muster.model.JobId;
import io.muster.scheduling.placement.Gang;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.scheduling.topology.Partition;
import java.time.Duration;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A waiting job.
 *
 * @param number its own among the problem's claimants; says nothing of its place
 * @param leaf its team's entry in the tree
 * @param user its user in its team, as a number
 * @param options the partitions it may lie in, in its order of preference, that could ever hold it
 * @param priority with what it gained by waiting
 * @param shape equal numbers ask for the same: gang, partitions, topology, kind of bound
 * @param kind equal numbers get equal answers: one that finds nothing speaks for all; -1: like no other
 * @param family equal numbers get equal answers wherever walltimes decide nothing; never a kind's number; -1: like no other
 * @param excluded nodes it does not go to, or null
 * @param isElastic it may run with fewer replicas than it asks for
 * @param second when it was submitted, in whole seconds since 1970
 * @param runs nanoseconds that it runs at most; {@link #FOREVER} when it promises nothing
 */
public record Claimant(
        int number,
        WaitingJob job,
        Gang gang,
        int leaf,
        int user,
        List<Partition> options,
        int priority,
        int shape,
        int kind,
        int family,
        @Nullable BitSet excluded,
        boolean isElastic,
        long second,
        long runs) {
    /** No walltime, or one beyond all that can be counted. */
    public static final long FOREVER = Long.MAX_VALUE;

    static final int LIKE_NO_OTHER = -1;
    private static final Duration LONGEST = Duration.ofNanos(FOREVER - 1);

    /** By submit time, then id. */
    public static final Comparator<Claimant> OLDEST = (a, b) -> {
        int order = Long.compare(a.second, b.second); // the answer for most, without a look at the jobs
        order = order != 0 ? order : a.facts().submittedAt().compareTo(b.facts().submittedAt());
        return order != 0 ? order : a.id().compareTo(b.id());
    };

    /** How long {@code run} is, in nanoseconds; {@link #FOREVER} when it is null or cannot be counted. */
    public static long nanos(@Nullable Duration run) {
        return run == null || run.compareTo(LONGEST) > 0 ? FOREVER : run.toNanos();
    }

    public JobFacts facts() {
        return job.facts();
    }

    public JobId id() {
        return job.facts().id();
    }

    public int gpus() {
        return gang.gpus();
    }

    /** The same job as it looks for places elsewhere than on {@code nodes}. */
    public Claimant without(BitSet nodes) {
        if (nodes.isEmpty()) {
            return this;
        }
        var both = (BitSet) nodes.clone();
        if (excluded != null) {
            both.or(excluded);
        }
        return new Claimant(
                number, job, gang, leaf, user, options, priority, shape, kind, family, both, isElastic, second, runs);
    }

    /** The same job with another number of replicas. */
    Claimant of(Gang size, int sizeShape) {
        return new Claimant(
                number, job, size, leaf, user, options, priority, sizeShape, kind, family, excluded, isElastic, second,
                runs);
    }

    /** The pool in whose order it stands and in which its demand counts. */
    public int pool() {
        return options.getFirst().pool();
    }
}
