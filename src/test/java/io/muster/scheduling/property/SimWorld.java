package io.muster.scheduling.property;

import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.ReservationId;
import io.muster.model.Resources;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.ModeView;
import io.muster.scheduling.snapshot.NodeView;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.snapshot.TeamView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** A fleet with jobs that carries plans out and lets things happen. */
final class SimWorld {
    final List<PoolView> pools;
    final List<NodeView> nodes;
    final List<TeamView> teams;
    final Map<JobId, SimJob> jobs = new LinkedHashMap<>();
    final Map<JobId, ReservationView> reservations = new LinkedHashMap<>();
    PolicySettings settings = PolicySettings.SHIPPED;
    ModeView mode = ModeView.RUNNING;
    Instant now = Instant.parse("2026-03-02T00:00:00Z");
    int preemptions;
    int moves;
    /** Whether what runs gets on: when it does not, whoever had less goes on having less. */
    boolean served = true;

    private final List<Reclaim> reclaims = new ArrayList<>();
    private final Map<NodeId, NodeView> asBuilt = new HashMap<>();
    private long nextReservation = 1;
    private long nextJob = 1;

    private record Reclaim(PoolId pool, Instant at, int gpus) {}

    SimWorld(Scenario scenario) {
        pools = scenario.pools();
        nodes = new ArrayList<>(scenario.nodes());
        teams = new ArrayList<>(scenario.teams());
        nodes.forEach(n -> asBuilt.put(n.id(), n));
    }

    JobId nextJob() {
        return new JobId(nextJob++);
    }

    ClusterSnapshot snapshot() {
        return new ClusterSnapshot(
                now,
                settings,
                mode,
                pools.stream().map(this::withReclaimed).toList(),
                nodes,
                teams,
                jobs.values().stream()
                        .filter(j -> j.at == SimJob.At.WAITING)
                        .map(SimJob::waiting)
                        .toList(),
                jobs.values().stream()
                        .filter(SimJob::holdsGpus)
                        .map(SimJob::running)
                        .toList(),
                List.copyOf(reservations.values()));
    }

    /** The pool with what was reclaimed in it lately outside guarantees. */
    private PoolView withReclaimed(PoolView pool) {
        int gpus = reclaims.stream()
                .filter(r -> r.pool().equals(pool.id())
                        && r.at().plus(settings.reclaimWindow()).isAfter(now))
                .mapToInt(Reclaim::gpus)
                .sum();
        return new PoolView(pool.id(), pool.levels(), gpus);
    }

    void carryOut(SchedulingPlan plan) {
        plan.decisions().forEach(this::carryOut);
    }

    private void carryOut(Decision decision) {
        var job = jobs.get(decision.job());
        switch (decision) {
            case Decision.Start start -> {
                job.start(start.pool(), start.placements(), start.backfilled(), now);
                reservations.remove(job.id());
            }
            case Decision.Reserve r ->
                reservations.put(
                        r.job(),
                        new ReservationView(
                                new ReservationId(new UUID(0, nextReservation++)),
                                r.job(),
                                r.pool(),
                                ReservationView.Kind.valueOf(r.kind().name()),
                                r.placements(),
                                r.startAt(),
                                null));
            case Decision.Unreserve u -> reservations.remove(u.job());
            case Decision.RequestCheckpoint r -> {
                preemptions++;
                if (r.cause() == Decision.Cause.RECLAIM && !r.guaranteed()) {
                    reclaims.add(new Reclaim(job.pool, now, r.gpusFreed()));
                }
                job.at = SimJob.At.LEAVING;
                job.leavingFor = r.beneficiary();
                job.moves = r.cause() == Decision.Cause.MOVE;
                moves += job.moves ? 1 : 0;
            }
            case Decision.Stop s -> job.at = SimJob.At.LEAVING;
        }
    }

    /** Time goes on: what was placed runs, what leaves is gone sooner or later. */
    void pass(Duration time, Random random) {
        now = now.plus(time);
        for (var job : jobs.values()) {
            if (job.at == SimJob.At.PLACED && job.runningSince == null) {
                job.runningSince = now;
            } else if (job.at == SimJob.At.PLACED && served) {
                job.ran = job.ran.plus(time);
            } else if (job.at == SimJob.At.LEAVING && random.nextInt(3) > 0) {
                job.gone(now);
            }
            if (job.backoffUntil != null && !job.backoffUntil.isAfter(now)) {
                job.backoffUntil = null;
            }
        }
        startExpiry();
    }

    /** Reservations whose victims are all gone begin to expire. */
    private void startExpiry() {
        reservations.replaceAll((id, r) -> {
            // Its own pods: it moves, or goes on with another number of replicas.
            boolean waitsForVictims = jobs.values().stream()
                    .anyMatch(j -> j.at == SimJob.At.LEAVING && (id.equals(j.leavingFor) || id.equals(j.id())));
            if (r.kind() == ReservationView.Kind.HEAD || waitsForVictims || r.expiresAt() != null) {
                return r;
            }
            return new ReservationView(
                    r.id(), r.job(), r.pool(), r.kind(), r.placements(), null, now.plus(settings.reservationExpiry()));
        });
    }

    /** Something happens that no plan asked for. */
    void happen(Event event) {
        var random = new Random(event.salt());
        switch (event.what()) {
            case SUBMIT -> {
                if (!teams.isEmpty()) {
                    new Jobs(this, random).submit();
                }
            }
            case END -> some(SimJob.At.PLACED, random, 4).forEach(j -> j.at = SimJob.At.LEAVING);
            case CANCEL -> some(SimJob.At.WAITING, random, 5).forEach(j -> j.at = SimJob.At.DONE);
            case CHECKPOINT -> some(SimJob.At.PLACED, random, 2).forEach(j -> j.checkpointAt = now);
            case CORDON -> change(random, n -> Worlds.open(n, !n.takesReplicas()));
            case SHRINK ->
                change(random, n -> Worlds.sized(n, Math.max(0, n.allocatable().gpus() - 1 - random.nextInt(3))));
            case RETURN -> change(random, n -> Worlds.open(asBuilt.getOrDefault(n.id(), n), true));
            case FAIL -> fail(random);
            case QUOTA -> quota(random);
        }
    }

    private List<SimJob> some(SimJob.At at, Random random, int oneIn) {
        return jobs.values().stream()
                .filter(j -> j.at == at && random.nextInt(oneIn) == 0)
                .toList();
    }

    private void change(Random random, UnaryOperator<NodeView> change) {
        if (!nodes.isEmpty()) {
            int i = random.nextInt(nodes.size());
            nodes.set(i, change.apply(nodes.get(i)));
        }
    }

    /** A node is gone for good; the gangs that had replicas on it are taken down and wait again. */
    private void fail(Random random) {
        if (nodes.size() < 2) {
            return;
        }
        var gone = nodes.remove(random.nextInt(nodes.size()));
        for (var job : jobs.values()) {
            if (job.placements.stream().anyMatch(p -> p.node().equals(gone.id()))) {
                job.lost(now);
            }
        }
    }

    private void quota(Random random) {
        int i = random.nextInt(teams.size());
        var team = teams.get(i);
        var quotas = new HashMap<>(team.quotas());
        var pool = pools.get(random.nextInt(pools.size())).id();
        quotas.put(pool, Worlds.shaped(Worlds.quota(random), new Random(random.nextLong())));
        teams.set(
                i,
                new TeamView(
                        team.id(), team.parent(), team.path(), quotas, team.userCap(), team.order(), team.userUse()));
    }

    /** What all jobs hold, by node. */
    Map<NodeId, Resources> held() {
        var held = new HashMap<NodeId, Resources>();
        for (var job : jobs.values()) {
            if (job.holdsGpus()) {
                job.placements.forEach(p -> held.merge(p.node(), p.amount(), Resources::plus));
            }
        }
        return held;
    }
}
