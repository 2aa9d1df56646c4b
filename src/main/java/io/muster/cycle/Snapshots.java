package io.muster.cycle;

import static java.util.stream.Collectors.toSet;

import io.muster.inventory.Pool;
import io.muster.job.JobDocument;
import io.muster.job.LedgerAttempt;
import io.muster.job.LedgerJob;
import io.muster.job.LedgerReplica;
import io.muster.lifecycle.Life;
import io.muster.model.AttemptId;
import io.muster.model.FailureClass;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.TeamOrder;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.Service;
import io.muster.scheduling.snapshot.WaitingJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes of the world and its surroundings what the core sees. */
final class Snapshots {
    private static final Duration DAY = Duration.ofDays(1);
    /** A node where a job failed is left out for so long; then it may have been mended. */
    private static final Duration EXCLUDED_FOR = Duration.ofHours(1);

    private final FactsOfJobs facts = new FactsOfJobs();
    private final Views<WaitingJob> waitingBefore = new Views<>();
    private final Views<RunningJob> runningBefore = new Views<>();

    ClusterSnapshot of(World world, Surroundings around, Instant asOf) {
        facts.forgetSome(world);
        Set<JobId> left = world.unplannable().whys().keySet();
        Set<PoolId> pools = around.pools().stream().map(Pool::id).collect(toSet());
        var waiting = new ArrayList<WaitingJob>();
        var running = new ArrayList<RunningJob>();
        var counted = new HashSet<AttemptId>();
        for (LedgerJob job : world.jobs()) {
            JobDocument document = world.document(job.id());
            if (document == null || pools.isEmpty() || left.contains(job.id())) {
                continue;
            }
            try {
                if (job.life().state() == JobState.QUEUED) {
                    waiting.add(waiting(job, document, world, around, asOf));
                } else if (job.life().state().isActive()
                        && world.attempt(job.id()) instanceof LedgerAttempt attempt
                        && pools.contains(attempt.pool())) {
                    running.add(running(job, attempt, document, world, around, asOf));
                    counted.add(attempt.id());
                }
            } catch (RuntimeException e) {
                // Nothing in its rows was wrong by itself, and yet they cannot be put together.
                world.unplannable().faulty(job.id(), job.version(), e.toString());
            }
        }
        waitingBefore.forgetAllBut(waiting.size(), world);
        runningBefore.forgetAllBut(running.size(), world);
        return new ClusterSnapshot(
                asOf,
                around.settings(),
                around.mode(),
                GroundViews.pools(world, around),
                GroundViews.nodes(world, around, counted),
                GroundViews.teams(world, around),
                waiting,
                running,
                world.promises().stream().map(Promise::view).toList());
    }

    private WaitingJob waiting(LedgerJob job, JobDocument document, World world, Surroundings around, Instant asOf) {
        JobFacts asked = facts.of(job, document, around);
        LedgerJob.Past past = job.past();
        boolean lasting = past.backoffUntil() == null
                && past.excludedNodes().isEmpty()
                && past.notBeside().isEmpty();
        Object service = serviceGoesBy(job, world, around);
        return waitingBefore.of(
                job.id(),
                new Views.Made(world.seen(job.id()), asked, service),
                lasting,
                () -> makeWaiting(job, document, asked, world, around, asOf));
    }

    /** What, besides the job itself, its service so far and to come depends on. */
    private static Object serviceGoesBy(LedgerJob job, World world, Surroundings around) {
        TeamOrder order = around.order(job.team());
        return order == TeamOrder.ATTAINED_SERVICE ? world.runTimes() : order;
    }

    private static WaitingJob makeWaiting(
            LedgerJob job, JobDocument document, JobFacts facts, World world, Surroundings around, Instant asOf) {
        LedgerJob.Past past = job.past();
        boolean backsOff = past.backoffUntil() != null
                && (past.backoffUntil().isAfter(asOf) || past.backoffAfter() == FailureClass.IMAGE);
        boolean excludes = job.waitingSince().plus(EXCLUDED_FOR).isAfter(asOf);
        return new WaitingJob(
                facts,
                job.waitingSince(),
                backsOff && past.backoffUntil() != null
                        ? new WaitingJob.Backoff(
                                past.backoffUntil(),
                                past.backoffAfter() == null ? FailureClass.UNKNOWN : past.backoffAfter(),
                                job.attempt())
                        : null,
                excludes ? new HashSet<>(past.excludedNodes()) : Set.<NodeId>of(),
                stillWaiting(past.notBeside(), world),
                service(job, document, Duration.ZERO, world, around));
    }

    private static Service service(
            LedgerJob job, JobDocument document, Duration present, World world, Surroundings around) {
        return switch (around.order(job.team())) {
            case FIFO -> Service.NONE;
            case FAIR_FINISH ->
                new Service(Duration.ofSeconds(job.past().ranSeconds()).plus(present), Duration.ZERO);
            case ATTAINED_SERVICE -> RunTimes.service(world.runTimes(), job, document, present);
        };
    }

    /** How long the attempt has run. */
    private static Duration ran(LedgerAttempt attempt, Instant asOf) {
        Instant since = attempt.runningAt();
        return since == null || since.isAfter(asOf) ? Duration.ZERO : Duration.between(since, asOf);
    }

    /** A beneficiary that has started, or is over, needs its GPUs kept no more. */
    private static Set<JobId> stillWaiting(List<JobId> beneficiaries, World world) {
        var waiting = new HashSet<JobId>();
        for (JobId id : beneficiaries) {
            LedgerJob job = world.job(id);
            if (job != null && job.life().state() == JobState.QUEUED) {
                waiting.add(id);
            }
        }
        return waiting;
    }

    private RunningJob running(
            LedgerJob job,
            LedgerAttempt attempt,
            JobDocument document,
            World world,
            Surroundings around,
            Instant asOf) {
        JobFacts asked = facts.of(job, document, around);
        boolean lasting = around.order(job.team()) == TeamOrder.FIFO
                && job.past().preemptedAt().isEmpty();
        return runningBefore.of(
                job.id(),
                new Views.Made(world.seen(job.id()), asked, TeamOrder.FIFO),
                lasting,
                () -> makeRunning(job, attempt, document, asked, world, around, asOf));
    }

    private static RunningJob makeRunning(
            LedgerJob job,
            LedgerAttempt attempt,
            JobDocument document,
            JobFacts asked,
            World world,
            Surroundings around,
            Instant asOf) {
        var held = world.held(attempt.id());
        // One whose replicas begin to end is no smaller job: it is about to be over.
        boolean ends = held.size() < attempt.replicas();
        return new RunningJob(
                ends ? asked.rigid() : asked,
                attempt.id(),
                job.life().state(),
                attempt.pool(),
                held.stream().map(LedgerReplica::placement).toList(),
                attempt.placedAt(),
                attempt.runningAt(),
                attempt.lastCheckpointAt(),
                restartTime(attempt),
                deadline(job.life(), attempt),
                attempt.backfilled(),
                attempt.beneficiary(),
                isLeaving(job.life()),
                (int) job.past().preemptedAt().stream()
                        .filter(at -> at.isAfter(asOf.minus(DAY)))
                        .count(),
                job.past().protectedUntil(),
                new HashSet<>(job.past().excludedNodes()),
                service(job, document, ran(attempt, asOf), world, around));
    }

    private static boolean isLeaving(Life life) {
        return life.state() == JobState.STOPPING
                || life.state() == JobState.CHECKPOINTING && life.after() != Life.After.RUNNING;
    }

    /** By when one that leaves must have saved; it does not move on with the clock. */
    private static @Nullable Instant deadline(Life life, LedgerAttempt attempt) {
        var signal = attempt.signal();
        return signal != null && isLeaving(life) ? signal.deadline() : null;
    }

    /** From its placement to its first step, or as far as is known. */
    private static Duration restartTime(LedgerAttempt attempt) {
        Instant ready = attempt.firstStepAt() != null ? attempt.firstStepAt() : attempt.runningAt();
        return ready == null || ready.isBefore(attempt.placedAt())
                ? Duration.ZERO
                : Duration.between(attempt.placedAt(), ready);
    }
}
