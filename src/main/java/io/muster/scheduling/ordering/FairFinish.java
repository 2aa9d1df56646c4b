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

    /** Running time that a job is behind another, in restarts of that other, before it is worth one. */
    private static final double WORTH = 12.5;

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

    /** The share of its life that a job had: 1 when it ran from the beginning. */
    static double share(Duration ran, Duration age) {
        return seconds(ran) / Math.max(1, seconds(age));
    }

    /**
     * Whether a job of the smaller share may take the GPUs of one of the larger: it is behind by so much running time that
     * the restart is worth it.
     *
     * @param age since the claimant was submitted
     * @param restart what yielding costs the victim
     */
    static boolean outweighs(double share, double victimsShare, Duration age, Duration restart) {
        return share + MARGIN < victimsShare && (victimsShare - share) * seconds(age) >= WORTH * seconds(restart);
    }

    /** The order; total. */
    public Comparator<Served> order(Instant asOf) {
        return Comparator.comparingDouble((Served job) -> rank(job, asOf)).thenComparing(Served.OLDEST);
    }

    /** Whether a waiting job may take a running one's GPUs; {@link #turn} says when that is asked. */
    public boolean outweighs(Served claimant, Served victim, Instant asOf, Duration restart) {
        double its = rank(claimant, asOf);
        double victims = rank(victim, asOf);
        if (claimant.walltime() != null) return its + MARGIN < victims;
        // In a crowd everybody is behind: what counts is what the crowd does not excuse.
        double age = seconds(Duration.between(claimant.submittedAt(), asOf)) / claimant.contention();
        return outweighs(its, victims, Duration.ofMillis((long) (age * 1000)), restart);
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
