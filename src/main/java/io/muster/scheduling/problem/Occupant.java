package io.muster.scheduling.problem;

import io.muster.model.JobId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.Resources;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.topology.Fleet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A job that holds GPUs.
 *
 * @param number its place among the problem's occupants
 * @param leaf its team's entry in the tree, or -1 when its team is archived
 * @param user its user in its team, or -1
 * @param pool the pool's number, or -1
 * @param spots what it holds, by node of the fleet
 * @param gpus the sum
 */
public record Occupant(int number, RunningJob job, int leaf, int user, int pool, List<Spot> spots, int gpus) {

    /** {@code amount} held on {@code node}. */
    public record Spot(int node, Resources amount) {}

    /** The same job at another place. */
    Occupant numbered(int place) {
        return place == number ? this : new Occupant(place, job, leaf, user, pool, spots, gpus);
    }

    public JobFacts facts() {
        return job.facts();
    }

    public JobId id() {
        return job.facts().id();
    }

    /** A victim that is leaving: it counts for its beneficiary in the shares. */
    public boolean isLeavingForAnother() {
        return job.leaving() && job.leavingFor() != null;
    }

    /** True when it may be asked to save and leave: not inside minRuntime nor under a protection. */
    public boolean isOpen(PolicySettings settings, Instant asOf) {
        boolean young = job.runningSince() == null
                || Duration.between(job.runningSince(), asOf).compareTo(settings.minRuntime()) < 0;
        boolean shielded = job.protectedUntil() != null && asOf.isBefore(job.protectedUntil());
        boolean oftenToday = job.protectedUntil() == null
                && job.preemptionsToday() >= settings.preemptionsPerDay()
                && asOf.isBefore(job.startedAt().plus(settings.protectFor()));
        return !young && !shielded && !oftenToday;
    }

    /** What its leaving loses, for each GPU: seconds since its last checkpoint, and its restart. */
    public long secondsAtRisk(Instant asOf) {
        var atRisk = positive(Duration.between(since(), asOf));
        if (job.lastCheckpointAt() != null) {
            atRisk = positive(Duration.between(job.lastCheckpointAt(), asOf));
        } else if (facts().checkpointEvery() != null
                && facts().checkpointEvery().compareTo(atRisk) < 0) {
            // It saves by itself without telling: the interval is taken as a promise of age.
            atRisk = facts().checkpointEvery();
        }
        return atRisk.toSeconds() + job.restartTime().toSeconds();
    }

    private static Duration positive(Duration d) {
        return d.isNegative() ? Duration.ZERO : d;
    }

    /** GPUs that it wants: a job that could have more replicas wants them, as long as it goes on or comes back. */
    public int wanted() {
        boolean ends = job.leaving() && job.leavingFor() == null;
        return ends || !facts().isElastic() ? gpus : Math.max(gpus, facts().gpus());
    }

    /** Sums {@code placements} by node, in node order; nodes that the fleet does not have are left out. */
    public static List<Spot> spots(List<ReplicaPlacement> placements, Fleet fleet) {
        var spots = new ArrayList<Spot>(placements.size());
        boolean ordered = true;
        for (var p : placements) {
            int node = fleet.number(p.node());
            if (node >= 0) {
                ordered &= spots.isEmpty() || spots.getLast().node < node;
                spots.add(new Spot(node, p.amount()));
            }
        }
        return ordered ? spots : summed(spots); // most replicas have a node of their own, and come in node order
    }

    private static List<Spot> summed(List<Spot> spots) {
        var sums = new TreeMap<Integer, Resources>();
        spots.forEach(spot -> sums.merge(spot.node, spot.amount, Resources::plus));
        var summed = new ArrayList<Spot>(sums.size());
        sums.forEach((node, amount) -> summed.add(new Spot(node, amount)));
        return summed;
    }

    /** Since when it has been at work: all replicas run, or else since it was placed. */
    public Instant since() {
        return job.runningSince() == null ? job.startedAt() : job.runningSince();
    }

    /** One asked to leave is gone by the deadline that it was given; one asked at this instant has its whole grace. */
    public Instant goneBy(Instant asOf) {
        var deadline = job.leaving() ? job.expectedEnd() : null;
        return deadline != null && deadline.isAfter(asOf) ? deadline : asOf.plus(facts().grace());
    }

    /** When it must have ended: by its walltime, or as policy assumes; an overdue one is given as long again. */
    public Instant promisedEnd(PolicySettings settings, Instant asOf) {
        var length = facts().walltime() == null ? settings.defaultRunTime() : facts().walltime();
        var end = since().plus(length);
        if (end.isAfter(asOf)) {
            return end;
        }
        var again = Duration.between(since(), asOf);
        return asOf.plus(again.compareTo(Duration.ofMinutes(1)) < 0 ? Duration.ofMinutes(1) : again);
    }
}
