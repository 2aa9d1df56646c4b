package io.muster.simulator.policy;

import static io.muster.simulator.engine.SimulatedJob.NEVER;

import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.model.TeamOrder;
import io.muster.scheduling.ordering.AttainedService;
import io.muster.scheduling.ordering.RunTimeHistory;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.Service;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.simulator.engine.SimulatedJob;
import io.muster.simulator.engine.World;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a run as the core reads them. A row stays the same object as long as nothing in it changes that the order asks
 * for, so that the core, which remembers what it read, need not read it again.
 */
final class Rows {
    private static final long DAY = Duration.ofDays(1).toMillis();

    private final PolicySettings settings;
    private final TeamOrder order;
    private final RunTimeHistory history = new RunTimeHistory();
    private final Map<JobId, WaitingJob> waiting = new HashMap<>();
    private final Map<JobId, RunningJob> running = new HashMap<>();
    private final Map<JobId, List<String>> kinds = new HashMap<>();

    Rows(PolicySettings settings, TeamOrder order) {
        this.settings = settings;
        this.order = order;
    }

    /** Learns of a job that ended. */
    void ended(SimulatedJob job, World world) {
        if (order == TeamOrder.ATTAINED_SERVICE) {
            history.ended(kinds(job), Duration.ofMillis(job.done(world.now())));
        }
        running.remove(job.id());
        kinds.remove(job.id());
    }

    private List<String> kinds(SimulatedJob job) {
        return kinds.computeIfAbsent(job.id(), id -> MusterOrders.kinds(job));
    }

    /** What the order asks for; {@code known}, when that says the same. */
    private Service service(SimulatedJob job, World world, @Nullable Service known) {
        var ran = Duration.ofMillis(job.done(world.now()));
        return switch (order) {
            case FIFO -> Service.NONE;
            case FAIR_FINISH -> known != null && known.ran().equals(ran) ? known : new Service(ran, Duration.ZERO);
            case ATTAINED_SERVICE -> {
                // Of running time itself nothing is asked: what one more end costs changes from class to class only.
                var nextEnd = nextEnd(job, ran);
                yield known != null && known.nextEnd().equals(nextEnd) ? known : new Service(ran, nextEnd);
            }
        };
    }

    private Duration nextEnd(SimulatedJob job, Duration ran) {
        return Duration.ofMillis(Math.round(history.cost(kinds(job), ran) * 1000));
    }

    WaitingJob waiting(SimulatedJob job, World world) {
        var ran = running.remove(job.id());
        var known = waiting.get(job.id());
        var beside = job.leavingFor();
        var not = beside != null && world.waiting(beside) != null ? Set.of(beside) : Set.<JobId>of();
        var service = service(job, world, known != null ? known.service() : ran != null ? ran.service() : null);
        if (known == null || known.service() != service || !known.notBeside().equals(not)) {
            var facts = known == null ? facts(job) : known.facts();
            known = new WaitingJob(facts, Instant.ofEpochMilli(job.waitingSince()), null, Set.of(), not, service);
            waiting.put(job.id(), known);
        }
        return known;
    }

    /** The job with what is left of its walltime. */
    private static JobFacts facts(SimulatedJob job) {
        var f = job.facts();
        if (f.walltime() == null || job.attempts() == 0) return f;
        var left = f.walltime().minusMillis(job.done(0));
        return f.within(left.isNegative() ? Duration.ZERO : left);
    }

    RunningJob running(SimulatedJob job, World world) {
        var waited = waiting.remove(job.id());
        var known = running.get(job.id());
        var before = known != null ? known.service() : waited != null ? waited.service() : null;
        var service = service(job, world, before);
        int today = job.preemptionsSince(world.now() - DAY);
        if (known == null
                || known.service() != service
                || known.attempt().number() != job.attempts()
                || known.state() != job.life().state()
                || known.preemptionsToday() != today) {
            var facts = waited != null ? waited.facts() : known != null ? known.facts() : facts(job);
            known = row(job, facts, today, service, world);
            running.put(job.id(), known);
        }
        return known;
    }

    private RunningJob row(SimulatedJob job, JobFacts facts, int today, Service service, World world) {
        var placed = Instant.ofEpochMilli(job.placed());
        boolean tired = today >= settings.preemptionsPerDay();
        return new RunningJob(
                facts,
                new AttemptId(job.id(), job.attempts()),
                job.life().state(),
                pool(job, world),
                job.placements(),
                placed,
                job.runningSince() == NEVER ? null : Instant.ofEpochMilli(job.runningSince()),
                null,
                world.costs().restart(),
                null,
                job.backfilled(),
                job.leavingFor(),
                job.isLeaving(),
                today,
                tired ? placed.plus(settings.protectFor()) : null,
                Set.of(),
                service);
    }

    private static PoolId pool(SimulatedJob job, World world) {
        return world.fleet().partitionOf(job.spots().getFirst().node()).poolId();
    }

    /** When the job, going on, stands further back in its team's order, as far as is known now, or {@code NEVER}. */
    long nextTurn(SimulatedJob job, World world) {
        return switch (order) {
            case FIFO -> NEVER;
            case FAIR_FINISH -> world.now() + Duration.ofMinutes(1).toMillis();
            case ATTAINED_SERVICE -> nextBand(job, world);
        };
    }

    private long nextBand(SimulatedJob job, World world) {
        var ran = Duration.ofMillis(job.done(world.now()));
        int now = AttainedService.band(nextEnd(job, ran), job.gpus());
        var at = ran;
        for (int i = 0; i < RunTimeHistory.CLASSES; i++) {
            at = at.plus(RunTimeHistory.untilChange(at));
            if (AttainedService.band(nextEnd(job, at), job.gpus()) > now) {
                return world.now() + at.minus(ran).toMillis();
            }
        }
        return NEVER;
    }
}
