package io.muster.scheduling.preemption;

import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.snapshot.PolicySettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;

/**
 * A running job that could be asked to yield.
 *
 * @param cost GPU-seconds of work lost: since its last checkpoint, and its restart
 * @param rank its rank in its team's order
 * @param open not shielded by minRuntime or a protection; one that is not open yields only what it was backfilled on
 */
public record Candidate(Occupant occupant, double rank, long cost, boolean open) {
    /** Who goes first: lower priority, backfilled, cheaper, started later. */
    static final Comparator<Candidate> FIRST_TO_GO = (a, b) -> {
        int order = Integer.compare(a.priority(), b.priority());
        order = order != 0 ? order : Boolean.compare(b.isBackfilled(), a.isBackfilled());
        order = order != 0 ? order : Long.compare(a.cost, b.cost);
        order = order != 0
                ? order
                : b.occupant.job().startedAt().compareTo(a.occupant.job().startedAt());
        return order != 0 ? order : a.occupant.id().compareTo(b.occupant.id());
    };

    int priority() {
        return occupant.facts().priority();
    }

    boolean isBackfilled() {
        return occupant.job().backfilled();
    }

    public static Candidate of(Occupant occupant, double rank, PolicySettings settings, Instant asOf) {
        return new Candidate(occupant, rank, cost(occupant, asOf), isOpen(occupant, settings, asOf));
    }

    private static long cost(Occupant occupant, Instant asOf) {
        var job = occupant.job();
        var since = occupant.since();
        var atRisk = positive(Duration.between(since, asOf));
        if (job.lastCheckpointAt() != null) {
            atRisk = positive(Duration.between(job.lastCheckpointAt(), asOf));
        } else if (occupant.facts().checkpointEvery() != null
                && occupant.facts().checkpointEvery().compareTo(atRisk) < 0) {
            // It saves by itself without telling: the interval is taken as a promise of age.
            atRisk = occupant.facts().checkpointEvery();
        }
        return (atRisk.toSeconds() + job.restartTime().toSeconds()) * occupant.gpus();
    }

    private static Duration positive(Duration d) {
        return d.isNegative() ? Duration.ZERO : d;
    }

    private static boolean isOpen(Occupant occupant, PolicySettings settings, Instant asOf) {
        var job = occupant.job();
        boolean young = job.runningSince() == null
                || Duration.between(job.runningSince(), asOf).compareTo(settings.minRuntime()) < 0;
        boolean shielded = job.protectedUntil() != null && asOf.isBefore(job.protectedUntil());
        boolean oftenToday = job.protectedUntil() == null
                && job.preemptionsToday() >= settings.preemptionsPerDay()
                && asOf.isBefore(job.startedAt().plus(settings.protectFor()));
        return !young && !shielded && !oftenToday;
    }
}
