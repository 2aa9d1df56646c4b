package io.muster.scheduling.verify;

import io.muster.model.PoolId;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.plan.Decision.RequestCheckpoint;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.scheduling.verify.Breach.Rule;
import io.muster.scheduling.verify.PlaceRules.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rules by which a running job may be asked to yield. */
final class VictimRules {
    private final World world;
    private final ShareFacts shares;
    private final ClaimRules claims;
    private final TurnRules turns;
    private final ShapeRules shapes;
    private final Map<PoolId, Integer> reclaimed = new HashMap<>();

    VictimRules(World world, ShareFacts shares, ClaimRules claims, ShapeRules shapes) {
        this.shapes = shapes;
        this.world = world;
        this.shares = shares;
        this.claims = claims;
        turns = new TurnRules(world.snapshot);
    }

    /** {@code gpus}: what the beneficiary is to have. */
    List<Finding> check(RequestCheckpoint request, RunningJob victim, WaitingJob waiting, int gpus) {
        var beneficiary = waiting.facts();
        var findings = new ArrayList<Finding>();
        if (!victim.facts().preemptible() || (request.cause() != Cause.BACKFILL && isShielded(victim))) {
            findings.add(new Finding(Rule.VICTIM_PROTECTED, "not preemptible, young, or protected"));
        }
        boolean legal = switch (request.cause()) {
            case PREEMPTION -> victim.facts().team().equals(beneficiary.team()) && isLower(victim, beneficiary);
            case TURN -> takesTurn(victim, waiting);
            case ACROSS_TEAMS -> isLower(victim, beneficiary) && shares.isPrivileged(beneficiary, victim.pool(), gpus);
            case BACKFILL -> victim.backfilled();
            case RECLAIM -> mayReclaim(request, victim, beneficiary, gpus);
            case SHAPE -> shapes.mayTake(victim, beneficiary);
            case MOVE -> mayMove(victim, beneficiary, gpus);
            case RESIZE -> false; // that is for itself
        };
        if (world.imageUnseen(request.beneficiary())) {
            findings.add(new Finding(Rule.IMAGE_UNSEEN, "no image of " + request.beneficiary() + " yet"));
        }
        if (!legal) {
            findings.add(new Finding(
                    Rule.VICTIM_RULE,
                    request.cause() + " of " + victim.id() + ": " + numbers(victim.facts(), victim.pool()) + " for "
                            + gpus + " to " + numbers(beneficiary, victim.pool())));
        }
        return findings;
    }

    private boolean takesTurn(RunningJob victim, WaitingJob beneficiary) {
        var team = shares.team(victim.facts().team());
        return team != null && turns.mayTake(victim, beneficiary, team.order());
    }

    /** Held of bound on each step of the way. */
    private String numbers(JobFacts facts, PoolId pool) {
        return shares.way(facts.team()).stream()
                .map(s -> shares.allocated(s, pool) + " of " + shares.deserved(s, pool) + "/"
                        + shares.guaranteed(s, pool))
                .toList()
                .toString();
    }

    boolean isShielded(RunningJob victim) {
        var asOf = world.snapshot.asOf();
        var settings = world.snapshot.settings();
        if (victim.runningSince() == null
                || Duration.between(victim.runningSince(), asOf).compareTo(settings.minRuntime()) < 0) {
            return true;
        }
        if (victim.protectedUntil() != null) {
            return asOf.isBefore(victim.protectedUntil());
        }
        return victim.preemptionsToday() >= settings.preemptionsPerDay()
                && asOf.isBefore(victim.startedAt().plus(settings.protectFor()));
    }

    private static boolean isLower(RunningJob victim, JobFacts beneficiary) {
        return victim.facts().priority() < beneficiary.priority();
    }

    /** Whoever saves what it did may be moved for a job that is not beneath it and keeps to its share. */
    private boolean mayMove(RunningJob mover, JobFacts beneficiary, int gpus) {
        boolean saves = mover.lastCheckpointAt() != null || mover.facts().checkpointEvery() != null;
        return saves
                && !mover.backfilled()
                && mover.facts().priority() <= beneficiary.priority()
                && claims.isWithin(beneficiary, mover.pool(), gpus, List.of());
    }

    /** Both sides are compared under their lowest common ancestor, as counted at this moment. */
    private boolean mayReclaim(RequestCheckpoint request, RunningJob victim, JobFacts beneficiary, int gpus) {
        var pool = victim.pool();
        var victimsWay = shares.way(victim.facts().team());
        var claimantsWay = shares.way(beneficiary.team());
        var common = victimsWay.stream().filter(claimantsWay::contains).toList();
        boolean above = victimsWay.stream()
                .filter(step -> !common.contains(step))
                .allMatch(step -> shares.allocated(step, pool) > shares.deserved(step, pool));
        return above
                && !victim.facts().acrossTeams()
                && !victim.facts().team().equals(beneficiary.team())
                && claims.isWithin(beneficiary, pool, gpus, common)
                && keepsRate(request, victim, beneficiary, gpus);
    }

    private boolean keepsRate(RequestCheckpoint request, RunningJob victim, JobFacts beneficiary, int gpus) {
        var pool = victim.pool();
        if (request.guaranteed()) {
            var step = shares.way(beneficiary.team()).getFirst();
            return shares.allocated(step, pool) + gpus <= shares.guaranteed(step, pool);
        }
        int sum = reclaimed.merge(pool, request.gpusFreed(), Integer::sum);
        var view = world.pools.get(pool);
        int before = view == null ? 0 : view.reclaimedLately();
        return before + sum
                <= (long) shares.capacity(pool) * world.snapshot.settings().reclaimPercent() / 100;
    }
}
