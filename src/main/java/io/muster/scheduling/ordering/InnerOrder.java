package io.muster.scheduling.ordering;

import io.muster.model.TeamOrder;
import io.muster.scheduling.fairshare.TeamTree;
import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.problem.Problem;
import io.muster.scheduling.problem.TeamLine;
import io.muster.scheduling.snapshot.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * The order inside each team, as its policy says.
 *
 * <p>Goal: one rank for whoever waits or runs, comparable inside a team; and a yes or no to "may this one take that one's
 * GPUs". Constraints: the higher rank alone yields, so that nobody yields in turn in one world; a taking must be worth
 * what it costs the victim. Algorithm: {@link AttainedService} in bands, {@link FairFinish} by share of life.
 */
public final class InnerOrder {
    /** What a restart is taken to cost at least, whatever was measured. */
    private static final long LEAST_RESTART_SECONDS = 60;

    /** Use beyond this many times the mean of the team counts as so much. */
    private static final double MOST_USE = 16;

    private final TeamTree tree;
    private final Instant asOf;
    private final double strength;

    public InnerOrder(Problem problem) {
        tree = problem.tree();
        asOf = problem.asOf();
        strength = problem.settings().usageStrength();
    }

    /** The lower, the sooner; all are equal under {@code FIFO}. */
    public double rank(Claimant job) {
        return rank(job.leaf(), job.job().service(), job.gpus(), job.facts().submittedAt());
    }

    /** The jobs of one team by priority and rank. */
    TeamLine ranked(TeamLine line) {
        var any = line.any();
        if (order(any.leaf()) == TeamOrder.FIFO) {
            return line;
        }
        var ranked = new TeamLine();
        line.each(job -> ranked.add(job, rank(job)));
        return ranked;
    }

    /** The rank of a job that runs; 0 when its team is archived. */
    public double rank(Occupant job) {
        return job.leaf() < 0
                ? 0
                : rank(job.leaf(), job.job().service(), job.gpus(), job.facts().submittedAt());
    }

    private double rank(int leaf, Service had, int gpus, Instant submittedAt) {
        return switch (order(leaf)) {
            case FIFO -> 0;
            case ATTAINED_SERVICE -> AttainedService.band(had.nextEnd(), gpus);
            case FAIR_FINISH -> FairFinish.share(had.ran(), Duration.between(submittedAt, asOf));
        };
    }

    /**
     * Whether a job of the victim's own team, equal in class, may take its GPUs.
     *
     * @param rank the claimant's
     * @param claimant who would take them
     * @param victimsRank the victim's
     * @param lost GPU-seconds that yielding costs the victim
     */
    public boolean mayTake(Claimant claimant, double rank, Occupant victim, double victimsRank, long lost) {
        long cost = Math.max(lost, LEAST_RESTART_SECONDS * victim.gpus());
        var restart = Duration.ofSeconds(cost / Math.max(1, victim.gpus()));
        return switch (order(victim.leaf())) {
            case FIFO -> false;
            case ATTAINED_SERVICE -> AttainedService.gain((int) rank, (int) victimsRank) > cost;
            case FAIR_FINISH ->
                FairFinish.outweighs(
                                rank,
                                victimsRank,
                                Duration.between(claimant.facts().submittedAt(), asOf),
                                restart)
                        && !victim.since().plus(FairFinish.turn(restart)).isAfter(asOf);
        };
    }

    /** How much each GPU that the job's user holds weighs: 1, doubled for each time the team's mean was used lately. */
    double dearness(Claimant job) {
        var uses = tree.team(job.leaf())
                .userUse()
                .getOrDefault(job.options().getFirst().poolId(), Map.of());
        double use = uses.isEmpty() ? 0 : uses.getOrDefault(job.facts().user(), 0.0);
        return Math.pow(2, strength * Math.min(MOST_USE, use));
    }

    private TeamOrder order(int leaf) {
        return tree.team(leaf).order();
    }
}
