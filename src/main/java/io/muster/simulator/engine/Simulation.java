package io.muster.simulator.engine;

import static io.muster.simulator.engine.SimulatedJob.NEVER;

import io.muster.lifecycle.Life;
import io.muster.lifecycle.Lifecycle;
import io.muster.lifecycle.LifecycleEvent;
import io.muster.lifecycle.Transition;
import io.muster.model.JobState;
import io.muster.model.ReservationId;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.problem.Occupant;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.simulator.engine.Events.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Runs a workload to its end. */
public final class Simulation {
    private static final int MOST_PLANS_AT_ONCE = 64;
    private static final Duration RESERVATION_EXPIRY = Duration.ofMinutes(15);

    private final List<SimulatedJob> jobs;
    private final World world;
    private final Planner planner;
    private final Costs costs;
    private final Timeline timeline;
    private final Events events = new Events();
    private long review = NEVER;
    private long reservations;
    private int over;
    private int plans;

    public Simulation(Cast cast, Planner planner, Costs costs) {
        this.jobs = cast.jobs();
        this.planner = planner;
        this.costs = costs;
        world = new World(cast.site(), costs, cast.shapes(), cast.site().teams().size());
        timeline = new Timeline(cast.site().teams().size());
        jobs.forEach(job -> events.add(job.submitted(), Kind.SUBMITTED, job));
    }

    /** Told now and then how many jobs are over. */
    public interface Progress {
        void ended(int jobs, int of);
    }

    /** Runs until nothing is left to happen. */
    public Run run(Progress progress) {
        long started = events.isEmpty() ? 0 : events.nextAt();
        while (!events.isEmpty()) {
            world.now = events.nextAt();
            settle();
            timeline.note(world);
            progress.ended(over, jobs.size());
        }
        return new Run(world.site(), jobs, costs, timeline, started, world.now, plans);
    }

    /** Lets happen what is due, and plans until nothing more comes of it. */
    private void settle() {
        int round = 0;
        boolean matters = false;
        do {
            while (events.nextAt() == world.now) matters |= happen(events.poll());
            if (matters && !world.waiting().isEmpty()) plan();
            matters = world.freed() && !world.waiting().isEmpty(); // victims left at once
            if (round++ > MOST_PLANS_AT_ONCE) {
                throw new IllegalStateException("planned " + round + " times at " + world.now + " without rest");
            }
        } while (matters || events.nextAt() == world.now);
    }

    private void plan() {
        var decisions = planner.plan(world);
        plans++;
        world.planned();
        decisions.forEach(this::carryOut);
        long next = world.waiting().isEmpty() ? NEVER : planner.nextReview(world);
        if (next < review || review <= world.now) {
            review = next;
            if (next != NEVER) events.add(Math.max(next, world.now + 1), Kind.REVIEW, null);
        }
    }

    /** @return whether a plan could come out otherwise now */
    private boolean happen(Events.Event event) {
        var job = event.job();
        if (job == null) {
            review = NEVER;
            return true;
        }
        if (event.kind() != Kind.SUBMITTED && event.attempt() != job.attempts) return false;
        switch (event.kind()) {
            case SUBMITTED -> world.queue(job);
            case FINISHED -> finish(job);
            case SAVED -> saved(job);
            case GONE -> gone(job);
            case RUNNING -> run(job);
            case REVIEW -> throw new IllegalStateException("a review is of no job");
        }
        return event.kind() != Kind.RUNNING;
    }

    private boolean move(SimulatedJob job, LifecycleEvent event) {
        return switch (Lifecycle.next(job.life, event)) {
            case Transition.Moved m -> {
                job.life = m.to();
                yield true;
            }
            case Transition.Ignored i -> false;
            case Transition.Refused r -> throw new IllegalStateException(r + " of job " + job.id());
        };
    }

    private void finish(SimulatedJob job) {
        // It had been asked to save first: any end after that is a preemption.
        if (job.life.state() != JobState.RUNNING) return;
        job.done += world.now - job.running;
        move(job, new LifecycleEvent.GangSucceeded());
        release(job, false);
        end(job);
    }

    private void end(SimulatedJob job) {
        job.ended = world.now;
        over++;
        planner.ended(job, world);
    }

    private void run(SimulatedJob job) {
        if (!move(job, new LifecycleEvent.GangRunning())) return;
        job.running = world.now;
        job.lost += world.now - job.placed;
        events.add(world.now + job.work() - job.done, Kind.FINISHED, job);
    }

    private void saved(SimulatedJob job) {
        if (!move(job, new LifecycleEvent.CheckpointSaved())) return;
        soon(costs.stop(), Kind.GONE, job);
    }

    private void gone(SimulatedJob job) {
        if (!move(job, new LifecycleEvent.PodsGone())) return;
        release(job, true);
        if (job.life.state() == JobState.QUEUED) {
            world.queue(job);
        } else {
            end(job);
        }
    }

    private void release(SimulatedJob job, boolean left) {
        world.vacate(job, left);
        job.held += world.now - job.placed;
        job.placed = NEVER;
        job.running = NEVER;
        job.waitingSince = world.now;
        job.spots = List.of();
        job.placements = List.of();
        expireReservationFor(job);
    }

    /** Happens at once when nothing lies between. */
    private void soon(Duration after, Kind kind, SimulatedJob job) {
        if (!after.isZero()) {
            events.add(world.now + after.toMillis(), kind, job);
        } else {
            switch (kind) {
                case RUNNING -> run(job);
                case SAVED -> saved(job);
                case GONE -> gone(job);
                case FINISHED, SUBMITTED, REVIEW -> throw new IllegalArgumentException(kind.name());
            }
        }
    }

    private void carryOut(Decision decision) {
        switch (decision) {
            case Decision.Start d -> start(d);
            case Decision.RequestCheckpoint d -> {
                var job = Objects.requireNonNull(world.active(d.job()));
                job.leavingFor = d.beneficiary();
                if (d.cause() != Decision.Cause.MOVE) {
                    preempted(job);
                }
                leave(job, Life.After.QUEUED);
            }
            case Decision.Stop d -> leave(Objects.requireNonNull(world.active(d.job())), Life.After.FAILED);
            case Decision.Reserve d -> reserve(d);
            case Decision.Unreserve d -> world.unreserve(d.job());
        }
    }

    private void preempted(SimulatedJob job) {
        job.preemptions++;
        job.preemptedAt = Arrays.copyOf(job.preemptedAt, job.preemptedAt.length + 1);
        job.preemptedAt[job.preemptedAt.length - 1] = world.now;
    }

    private void start(Decision.Start start) {
        var job = Objects.requireNonNull(world.waiting(start.job()));
        world.unqueue(job);
        world.unreserve(job.id());
        move(job, new LifecycleEvent.Start());
        job.attempts++;
        job.placements = start.placements();
        job.spots = Occupant.spots(start.placements(), world.fleet());
        job.backfilled = start.backfilled();
        job.leavingFor = null;
        job.placed = world.now;
        job.firstStart = Math.min(job.firstStart, world.now);
        world.occupy(job);
        soon(job.attempts == 1 ? costs.start() : costs.restart(), Kind.RUNNING, job);
    }

    private void leave(SimulatedJob job, Life.After then) {
        boolean worked = job.life.state() == JobState.RUNNING;
        if (!move(job, new LifecycleEvent.RequestCheckpoint(then))) return;
        world.leave(job);
        if (worked) {
            job.done += world.now - job.running;
            job.lost += costs.save().plus(costs.stop()).toMillis();
            soon(costs.save(), Kind.SAVED, job);
        } else {
            job.lost += world.now - job.placed + costs.stop().toMillis();
            soon(costs.stop(), Kind.GONE, job);
        }
    }

    private void reserve(Decision.Reserve d) {
        world.reserve(new ReservationView(
                new ReservationId(new UUID(0, ++reservations)),
                d.job(),
                d.pool(),
                ReservationView.Kind.valueOf(d.kind().name()),
                d.placements(),
                d.startAt(),
                null));
    }

    /** The clock of a promise runs from when the last victim is gone. */
    private void expireReservationFor(SimulatedJob victim) {
        var beneficiary = victim.leavingFor;
        if (beneficiary == null) return;
        var kept = world.reservation(beneficiary);
        if (kept == null || kept.kind() != ReservationView.Kind.VICTIMS) return;
        boolean others = world.active().stream().anyMatch(j -> j.isLeaving() && beneficiary.equals(j.leavingFor));
        if (!others) {
            var expires = Instant.ofEpochMilli(world.now).plus(RESERVATION_EXPIRY);
            world.reserve(new ReservationView(
                    kept.id(), kept.job(), kept.pool(), kept.kind(), kept.placements(), kept.startAt(), expires));
            events.add(expires.toEpochMilli(), Kind.REVIEW, null);
        }
    }
}
