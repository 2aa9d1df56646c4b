package io.muster.scheduling.ordering;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;

/**
 * The order {@code fair-finish}: whoever had the smallest share of its life so far goes first, against the share that
 * the crowd around it would have left everybody.
 *
 * <p>Where a job says how long it runs, its finish is projected instead (finish-time fairness, Themis, Mahajan et al.,
 * NSDI 2020): those whose finish would be unfair go first, the worst of them before all; of the others, those with the
 * most work left, since what is long must not come last (longest remaining first shortens the whole).
 */
public final class FairFinish {
    /** A finish later than this many times the fair one is repaired before anything else. */
    private static final double REPAIRED_FROM = 1.2;

    private static final double UNFAIR = 1e12;

    /** Shares this close are equal: who runs goes on. */
    private static final double MARGIN = 0.02;

    /** The lower, the sooner. */
    public double rank(Served job, Instant asOf) {
        double age = Math.max(1, seconds(Duration.between(job.submittedAt(), asOf)));
        double ran = seconds(job.ran());
        if (job.walltime() == null) return ran / age * job.contention();
        double whole = Math.max(1, seconds(job.walltime()));
        double left = Math.max(0, whole - ran);
        double rho = (age + left) / (whole * job.contention());
        return rho >= REPAIRED_FROM ? -UNFAIR * rho : -left * job.gpus();
    }

    /** The order; total. */
    public Comparator<Served> order(Instant asOf) {
        return Comparator.comparingDouble((Served job) -> rank(job, asOf)).thenComparing(Served.OLDEST);
    }

    /** Whether a waiting job may take a running one's GPUs; {@link #turn} says when that is asked. */
    public boolean outweighs(Served claimant, Served victim, Instant asOf) {
        return rank(claimant, asOf) + MARGIN < rank(victim, asOf);
    }

    /** How long a job runs before it may be asked to make place: five minutes, and never so short that restarts show. */
    public static Duration turn(Duration restart) {
        var worth = restart.multipliedBy(10);
        var least = Duration.ofMinutes(5);
        return worth.compareTo(least) > 0 ? worth : least;
    }

    private static double seconds(Duration length) {
        return length.toMillis() / 1000.0;
    }
}
