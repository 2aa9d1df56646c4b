package io.muster.scheduling.ordering;

import java.time.Duration;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The order {@code attained-service}: whose next end is cheapest goes first, in logarithmic bands, first come first
 * served inside a band.
 *
 * <p>Without history a job's band is that of the GPU-seconds it has had (least attained service; Tiresias, Gu et al.,
 * NSDI 2019). With history it is what one more end of its kind costs after so much running (its Gittins index).
 */
public final class AttainedService {
    private final RunTimeHistory history;

    public AttainedService(RunTimeHistory history) {
        this.history = history;
    }

    /** The lower, the sooner. */
    public int band(Served job) {
        return band(cost(job, job.ran()));
    }

    /** GPU-seconds that one more end costs, at best. */
    private double cost(Served job, Duration ran) {
        return history.cost(job.kinds(), ran) * job.gpus();
    }

    /** The band of a job of whose kind one more end costs so much running time. */
    public static int band(Duration nextEnd, int gpus) {
        return band(nextEnd.toMillis() * (double) gpus / 1000);
    }

    /** Bands are powers of two of the GPU-seconds that the next end costs; what costs less than one is in the lowest. */
    static int band(double cost) {
        return Math.getExponent(Math.max(1, cost));
    }

    /** GPU-seconds that are saved, at least, when a job of one band ends before one of another; 0 or less: none. */
    static double gain(int band, int other) {
        return Math.scalb(1.0, other) - Math.scalb(1.0, band);
    }

    /** The order; total. */
    public Comparator<Served> order() {
        return Comparator.comparingInt((Served job) -> band(job)).thenComparing(Served.OLDEST);
    }

    /**
     * Whether a waiting job may take a running one's GPUs: it stands in a lower band, and what it saves is more than the
     * victim's restart costs.
     */
    public boolean outweighs(Served claimant, Served victim, Duration restart) {
        if (band(claimant) >= band(victim)) return false;
        double gain = cost(victim, victim.ran()) - cost(claimant, claimant.ran());
        return gain > restart.toSeconds() * (double) victim.gpus();
    }

    /** How long a job runs until it stands in a higher band, as far as is known now; null: never. */
    public @Nullable Duration untilLater(Served running) {
        int now = band(running);
        var at = running.ran();
        for (int i = 0; i < RunTimeHistory.CLASSES; i++) {
            at = at.plus(RunTimeHistory.untilChange(at));
            if (band(cost(running, at)) > now) return at.minus(running.ran());
        }
        return null;
    }
}
