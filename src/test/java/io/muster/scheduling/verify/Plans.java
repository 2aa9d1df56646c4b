package io.muster.scheduling.verify;

import io.muster.model.AttemptId;
import io.muster.model.DomainPath;
import io.muster.model.GpuTypeId;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.ReplicaPlacement;
import io.muster.model.ReservationId;
import io.muster.model.Resources;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Ids;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Decision.Cause;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.verify.Breach.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** Decisions in words. */
final class Plans {
    static final PoolId POOL = new PoolId("gpu");

    private Plans() {}

    static List<ReplicaPlacement> on(int gpus, String... nodes) {
        var on = new ArrayList<ReplicaPlacement>();
        for (int i = 0; i < nodes.length; i++) {
            on.add(new ReplicaPlacement("main", i, new NodeId(nodes[i]), Resources.gpus(gpus)));
        }
        return on;
    }

    static Decision.Start start(long job, int gpus, String... nodes) {
        return new Decision.Start(
                new JobId(job), POOL, new GpuTypeId("H100"), on(gpus, nodes), null, DomainPath.POOL, false, null);
    }

    static Decision.Start backfilled(Decision.Start s) {
        return new Decision.Start(
                s.job(), s.pool(), s.gpuType(), s.placements(), s.level(), s.domain(), true, s.consumes());
    }

    private static AttemptId attempt(long job) {
        return new AttemptId(new JobId(job), 1);
    }

    /** The victim gives up so many GPUs, within the guarantee of the beneficiary's team. */
    static Decision.RequestCheckpoint request(long victim, long beneficiary, Cause cause, int gpus) {
        return new Decision.RequestCheckpoint(
                new JobId(victim), attempt(victim), new JobId(beneficiary), cause, gpus, 0, true);
    }

    /** The same beyond any guarantee. */
    static Decision.RequestCheckpoint rated(long victim, long beneficiary, Cause cause, int gpus) {
        return new Decision.RequestCheckpoint(
                new JobId(victim), attempt(victim), new JobId(beneficiary), cause, gpus, 0, false);
    }

    static Decision.Stop stop(long job) {
        return new Decision.Stop(new JobId(job), attempt(job));
    }

    static Decision.Unreserve unreserve(long job) {
        return new Decision.Unreserve(new JobId(job), new ReservationId(Ids.uuid("reservation " + job)), "why");
    }

    static Decision.Reserve reserve(long job, int gpus, List<Long> victims, String... nodes) {
        return new Decision.Reserve(
                new JobId(job),
                POOL,
                Decision.Reserve.Kind.VICTIMS,
                on(gpus, nodes),
                null,
                victims.stream().map(JobId::new).toList());
    }

    static Decision.Reserve head(long job, Duration startsIn, int gpus, String... nodes) {
        return new Decision.Reserve(
                new JobId(job), POOL, Decision.Reserve.Kind.HEAD, on(gpus, nodes), Job.NOW.plus(startsIn), List.of());
    }

    static Decision.Reserve move(long job, int gpus, String... nodes) {
        return new Decision.Reserve(new JobId(job), POOL, Decision.Reserve.Kind.MOVE, on(gpus, nodes), null, List.of());
    }

    static JobId[] ids(long... jobs) {
        return LongStream.of(jobs).mapToObj(JobId::new).toArray(JobId[]::new);
    }

    /** The rules that these decisions break. */
    static List<Rule> rules(Cluster cluster, Decision... decisions) {
        var plan = new SchedulingPlan(List.of(decisions), List.of(), List.of());
        return PlanVerifier.verify(cluster.snapshot(), plan).stream()
                .map(Breach::rule)
                .distinct()
                .toList();
    }
}
