package io.muster.scheduling.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.TopologyRequest;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.plan.ShareRow;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * At rest, no job of a team within its guarantee waits while a team beyond its share runs one that could yield to it.
 * Looked at where the answer is beyond doubt: teams without parents and children, one replica, no topology.
 */
final class Guarantees {
    private Guarantees() {}

    static void check(SimWorld world) {
        if (world.jobs.values().stream().anyMatch(j -> j.at == SimJob.At.LEAVING)) {
            return; // not at rest: what is leaving may be what the job waits for
        }
        var shares = new Scheduler().plan(world.snapshot()).shares();
        for (var job : world.jobs.values()) {
            if (job.at == SimJob.At.WAITING && isPlain(world, job) && isOwed(world, shares, job)) {
                for (var other : world.jobs.values()) {
                    assertThat(couldYield(world, shares, other, job))
                            .as("job " + job.id() + " waits within its guarantee while " + other.id() + " borrows")
                            .isFalse();
                }
            }
        }
    }

    /** How many plain jobs wait within their team's guarantee. */
    static int owed(SimWorld world) {
        var shares = new Scheduler().plan(world.snapshot()).shares();
        return (int) world.jobs.values().stream()
                .filter(j -> j.at == SimJob.At.WAITING && isPlain(world, j) && isOwed(world, shares, j))
                .count();
    }

    private static boolean isPlain(SimWorld world, SimJob job) {
        return job.facts.groups().size() == 1
                && job.facts.groups().getFirst().replicas() == 1
                && job.facts.topology().equals(TopologyRequest.NONE)
                && job.facts.pools().size() == 1
                && job.facts.gpuTypes().isEmpty()
                && job.excluded.isEmpty()
                && job.backoffUntil == null
                && job.facts.preemptible()
                && !world.reservations.containsKey(job.id());
    }

    private static boolean isAlone(SimWorld world, TeamId team) {
        return world.teams.stream().noneMatch(t -> team.equals(t.parent()))
                && world.teams.stream()
                        .allMatch(t -> !t.id().equals(team) || (t.parent() == null && t.userCap() == null));
    }

    private static ShareRow row(List<ShareRow> shares, TeamId team, PoolId pool) {
        return shares.stream()
                .filter(r -> r.team().equals(team) && r.pool().equals(pool))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isOwed(SimWorld world, List<ShareRow> shares, SimJob job) {
        var row = row(shares, job.facts.team(), job.facts.pools().getFirst());
        int after = row.allocated() + job.facts.gpus();
        return isAlone(world, job.facts.team())
                && after <= row.guaranteed()
                && (row.limit() == null || after <= Objects.requireNonNull(row.limit()));
    }

    private static boolean couldYield(SimWorld world, List<ShareRow> shares, SimJob victim, SimJob job) {
        var pool = job.facts.pools().getFirst();
        if (victim.at != SimJob.At.PLACED
                || !victim.pool.equals(pool)
                || !victim.facts.preemptible()
                || victim.facts.acrossTeams()
                || victim.facts.team().equals(job.facts.team())
                || !isAlone(world, victim.facts.team())
                || victim.preemptions >= world.settings.preemptionsPerDay()
                || victim.runningSince == null
                || Duration.between(victim.runningSince, world.now).compareTo(world.settings.minRuntime()) < 0) {
            return false;
        }
        var row = row(shares, victim.facts.team(), pool);
        var wanted = job.facts.groups().getFirst().each();
        return row.allocated() > row.deserved()
                && victim.placements.stream()
                        .anyMatch(p -> wanted.fitsIn(p.amount())
                                && world.nodes.stream().anyMatch(n -> n.id().equals(p.node()) && n.takesReplicas()));
    }
}
