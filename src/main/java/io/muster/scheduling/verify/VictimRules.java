package io.muster.scheduling.verify;

import io.muster.model.PoolId;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.plan.Decision.RequestCheckpoint;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.RunningJob;
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
    private final Map<PoolId, Integer> reclaimed = new HashMap<>();

    VictimRules(World world, ShareFacts shares, ClaimRules claims) {
        this.world = world;
        this.shares = shares;
        this.claims = claims;
    }

    List<Finding> check(RequestCheckpoint request, RunningJob victim, JobFacts beneficiary) {
        var findings = new ArrayList<Finding>();
        if (!victim.facts().preemptible() || (request.cause() != Cause.BACKFILL && isShielded(victim))) {
            findings.add(new Finding(Rule.VICTIM_PROTECTED, "not preemptible, young, or protected"));
        }
        boolean legal = switch (request.cause()) {
            case PREEMPTION -> victim.facts().team().equals(beneficiary.team()) && isLower(victim, beneficiary);
            case ACROSS_TEAMS -> isLower(victim, beneficiary) && isPrivileged(beneficiary, victim.pool());
            case BACKFILL -> victim.backfilled();
            case RECLAIM -> mayReclaim(request, victim, beneficiary);
        };
        if (!legal) {
            findings.add(new Finding(Rule.VICTIM_RULE, request.cause() + " of " + victim.id()));
        }
        return findings;
    }

    private boolean isShielded(RunningJob victim) {
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

    private boolean isPrivileged(JobFacts facts, PoolId pool) {
        return facts.acrossTeams()
                && (facts.classCap() == null
                        || shares.heldByClass(facts.priorityClass(), pool) + facts.gpus() <= facts.classCap());
    }

    /** Both sides are compared under their lowest common ancestor, as counted at this moment. */
    private boolean mayReclaim(RequestCheckpoint request, RunningJob victim, JobFacts beneficiary) {
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
                && claims.isWithin(beneficiary, pool, beneficiary.gpus(), common)
                && keepsRate(request, victim, beneficiary);
    }

    private boolean keepsRate(RequestCheckpoint request, RunningJob victim, JobFacts beneficiary) {
        var pool = victim.pool();
        if (request.guaranteed()) {
            var step = shares.way(beneficiary.team()).getFirst();
            return shares.allocated(step, pool) + beneficiary.gpus() <= shares.guaranteed(step, pool);
        }
        int sum = reclaimed.merge(pool, victim.gpusHeld(), Integer::sum);
        var view = world.pools.get(pool);
        int before = view == null ? 0 : view.reclaimedLately();
        return before + sum <= capacity(pool) * world.snapshot.settings().reclaimPercent() / 100;
    }

    private long capacity(PoolId pool) {
        long sum = 0;
        for (var node : world.snapshot.nodes()) {
            if (node.pool().equals(pool) && node.takesReplicas()) {
                sum += Math.max(0, node.allocatable().gpus() - node.foreign().gpus());
            }
        }
        for (var job : world.snapshot.running()) {
            for (var p : job.placements()) {
                var node = world.nodes.get(p.node());
                if (node != null && node.pool().equals(pool) && !node.takesReplicas()) {
                    sum += p.amount().gpus();
                }
            }
        }
        return sum;
    }
}
