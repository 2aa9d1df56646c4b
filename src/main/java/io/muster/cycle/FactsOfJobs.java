package io.muster.cycle;

import io.muster.job.JobDocument;
import io.muster.job.LedgerJob;
import io.muster.model.CheckpointWay;
import io.muster.model.GroupShape;
import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.policy.PriorityClass;
import io.muster.scheduling.snapshot.JobFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says what jobs ask for in the core's words; remembers it until the job or what it is read by changes. */
final class FactsOfJobs {
    /** A file in the pod changes up to a minute after its annotation. */
    private static final Duration FILE_DELAY = Duration.ofMinutes(1);

    private record Known(long version, Map<String, PriorityClass> classes, PoolChoice choice, JobFacts facts) {}

    private final Map<JobId, Known> known = new HashMap<>();

    JobFacts of(LedgerJob job, JobDocument document, Surroundings around) {
        Known before = known.get(job.id());
        if (before != null
                && before.version() == job.version()
                && before.classes() == around.classes()
                && before.choice() == around.poolChoice()) {
            return before.facts();
        }
        JobFacts facts = facts(
                job.id(),
                new Owner(job.team(), job.user()),
                job.priorityClass(),
                job.preemptible(),
                job.submittedAt(),
                Duration.ofSeconds(job.past().ranSeconds()),
                document,
                around);
        known.put(job.id(), new Known(job.version(), around.classes(), around.poolChoice(), facts));
        return facts;
    }

    /** Forgets jobs that are over, when they have become many. */
    void forgetSome(World world) {
        if (known.size() > 1_000 + world.jobs().size() * 2) {
            known.keySet().removeIf(id -> world.job(id) == null);
        }
    }

    /** Whose job it is. */
    record Owner(TeamId team, UserId user) {}

    static JobFacts facts(
            JobId id,
            Owner owner,
            String priorityClass,
            boolean preemptible,
            Instant submittedAt,
            Duration ran,
            JobDocument document,
            Surroundings around) {
        PriorityClass priority = around.classes().get(priorityClass);
        List<PoolId> pools = around.poolChoice().of(document);
        return new JobFacts(
                id,
                owner.team(),
                owner.user(),
                priority == null ? 0 : priority.value(),
                priorityClass,
                priority != null && priority.acrossTeams(),
                priority == null || !priority.acrossTeams() ? null : cap(priority, pools),
                submittedAt,
                pools,
                document.gpuTypes(),
                document.minGpuMemoryMib(),
                document.groups().stream()
                        .map(g -> new GroupShape(g.name(), g.replicas(), g.min(), g.each(), g.slices()))
                        .toList(),
                document.topology(),
                preemptible,
                left(document.walltime(), ran),
                grace(document.checkpoint()),
                document.checkpoint().path() == null
                        ? null
                        : document.checkpoint().every());
    }

    private static @Nullable Integer cap(PriorityClass priority, List<PoolId> pools) {
        for (PoolId pool : pools) {
            Integer cap = priority.caps().get(pool);
            if (cap != null) {
                return cap;
            }
        }
        return null;
    }

    private static @Nullable Duration left(@Nullable Duration walltime, Duration ran) {
        if (walltime == null) {
            return null;
        }
        return walltime.compareTo(ran) > 0 ? walltime.minus(ran) : Duration.ZERO;
    }

    private static Duration grace(JobDocument.Checkpoint how) {
        return how.by() == CheckpointWay.FILE ? how.grace().plus(FILE_DELAY) : how.grace();
    }
}
