package io.muster.scheduling.preemption;

import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.snapshot.PolicySettings;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A running job that could be asked to yield, or a part of an elastic one: a replica that it can do without, or, for when
 * these are gone too, the replicas that it cannot.
 *
 * @param occupant the job, with the nodes and GPUs of this part of it only
 * @param cost GPU-seconds of work lost: since its last checkpoint, and its restart
 * @param rank its rank in its team's order
 * @param open not shielded by minRuntime or a protection; one that is not open yields only what it was backfilled on
 * @param part which part of an elastic job, or null: a whole job
 */
public record Candidate(
        Occupant occupant,
        double rank,
        long cost,
        boolean open,
        @Nullable Part part) {
    /** Who goes first: spare replicas, then lower priority, backfilled, cheaper, later in its team's order, started later. */
    static final Comparator<Candidate> CHEAPEST_FIRST = (a, b) -> {
        int order = byClass(a, b);
        order = order != 0 ? order : Long.compare(a.cost, b.cost);
        order = order != 0 ? order : Double.compare(b.rank, a.rank);
        return order != 0 ? order : byStart(a, b);
    };

    /** The same inside one team: who comes last in its order goes before whoever is cheaper. */
    static final Comparator<Candidate> LAST_FIRST = (a, b) -> {
        int order = byClass(a, b);
        order = order != 0 ? order : Double.compare(b.rank, a.rank);
        order = order != 0 ? order : Long.compare(a.cost, b.cost);
        return order != 0 ? order : byStart(a, b);
    };

    private static int byClass(Candidate a, Candidate b) {
        int order = Integer.compare(a.priority(), b.priority());
        return order != 0 ? order : Boolean.compare(b.isBackfilled(), a.isBackfilled());
    }

    /** The newest start first, and of one job the last replica. */
    private static int byStart(Candidate a, Candidate b) {
        int order = b.occupant.job().startedAt().compareTo(a.occupant.job().startedAt());
        order = order != 0 ? order : a.occupant.id().compareTo(b.occupant.id());
        return order != 0 ? order : Integer.compare(b.from(), a.from());
    }

    /**
     * Some of an elastic job's replicas.
     *
     * @param from the first of them in the order in which {@link Spare} takes the job apart
     * @param spare the job can do without
     */
    record Part(int from, boolean spare) {}

    /** In ranking: replicas that a job can do without go before any whole job. */
    int priority() {
        return takesWhole() ? occupant.facts().priority() : Integer.MIN_VALUE;
    }

    /** True when nothing of the job goes on after it. */
    boolean takesWhole() {
        return part == null || !part.spare;
    }

    int from() {
        return part == null ? 0 : part.from;
    }

    boolean isBackfilled() {
        return occupant.job().backfilled();
    }

    public static Candidate of(Occupant occupant, double rank, PolicySettings settings, Instant asOf) {
        return new Candidate(
                occupant, rank, occupant.secondsAtRisk(asOf) * occupant.gpus(), occupant.isOpen(settings, asOf), null);
    }
}
