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

/** A fleet with jobs that carries plans out and lets things happen. */
final class SimWorld {
    final Random random;
    final List<PoolView> pools = new ArrayList<>();
    final List<NodeView> nodes = new ArrayList<>();
    final List<TeamView> teams = new ArrayList<>();
    final Map<JobId, SimJob> jobs = new LinkedHashMap<>();
    final Map<JobId, ReservationView> reservations = new LinkedHashMap<>();
    PolicySettings settings = PolicySettings.SHIPPED;
    ModeView mode = ModeView.RUNNING;
    Instant now = Instant.parse("2026-03-02T00:00:00Z");
    int preemptions;
    private final List<Reclaim> reclaims = new ArrayList<>();
    private long nextReservation = 1;

    private record Reclaim(PoolId pool, Instant at, int gpus) {}

    SimWorld(Random random) {
        this.random = random;
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
            }
            case Decision.Stop s -> job.at = SimJob.At.LEAVING;
        }
    }

    /** Time goes on: what was placed runs, what leaves is gone sooner or later. */
    void pass(Duration time) {
        now = now.plus(time);
        for (var job : jobs.values()) {
            if (job.at == SimJob.At.PLACED && job.runningSince == null) {
                job.runningSince = now;
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
            boolean waitsForVictims =
                    jobs.values().stream().anyMatch(j -> j.at == SimJob.At.LEAVING && id.equals(j.leavingFor));
            if (r.kind() == ReservationView.Kind.HEAD || waitsForVictims || r.expiresAt() != null) {
                return r;
            }
            return new ReservationView(
                    r.id(), r.job(), r.pool(), r.kind(), r.placements(), null, now.plus(settings.reservationExpiry()));
        });
    }

    /** Something happens that no plan asked for. */
    void happen(Worlds worlds) {
        int what = random.nextInt(100);
        if (what < 45) {
            jobs.values().stream()
                    .filter(j -> j.at == SimJob.At.PLACED && random.nextInt(4) == 0)
                    .forEach(j -> j.at = SimJob.At.LEAVING);
        } else if (what < 75) {
            for (int i = random.nextInt(6); i >= 0; i--) {
                worlds.submit(this);
            }
        } else if (what < 85) {
            int i = random.nextInt(nodes.size());
            nodes.set(i, worlds.turned(nodes.get(i)));
        } else if (what < 92) {
            jobs.values().stream()
                    .filter(j -> j.at == SimJob.At.WAITING && random.nextInt(5) == 0)
                    .forEach(j -> j.at = SimJob.At.DONE);
        } else {
            jobs.values().stream()
                    .filter(j -> j.at == SimJob.At.PLACED && random.nextBoolean())
                    .forEach(j -> j.checkpointAt = now);
        }
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
