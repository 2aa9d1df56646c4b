package io.muster.forecast;

import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.plan.Aftermath;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Moments;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.WaitingJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One way in which a world may go on: the core plans, its decisions come true, jobs end when this sample says, and the
 * clock jumps to the next moment that could matter. The further ahead, the wider its steps: a start in ten hours need
 * not be known to the second. What came free within a step is taken over as if it had been at once, so that wide steps
 * leave no GPU idle.
 */
final class Ahead {
    private static final Duration SHORTEST_STEP = Duration.ofSeconds(1);
    /** A step is at most this part of the time that lies behind it. */
    private static final int STEPS_OF_PAST = 100;

    private final Scheduler core = new Scheduler();
    private final Instant began;
    private final Sample sample;
    private final Map<JobId, Instant> starts = new HashMap<>();
    private final Map<JobId, Instant> ends = new HashMap<>();
    private final Map<JobId, Instant> gone = new HashMap<>();
    private final Map<JobId, Duration> left = new HashMap<>();
    private final Map<JobId, Integer> preemptions = new HashMap<>();
    private final Reclaims reclaims;
    private final Arrivals arrivals;
    private ClusterSnapshot world;
    /** How long what came free in the last step had been free at its end, on average. */
    private Duration late = Duration.ZERO;

    Ahead(ClusterSnapshot world, Sample sample, Arrivals arrivals) {
        this.world = world;
        this.sample = sample;
        this.arrivals = arrivals;
        began = world.asOf();
        reclaims = new Reclaims(world.pools(), began, world.settings().reclaimWindow());
        for (var job : world.running()) {
            preemptions.put(job.id(), job.preemptionsToday());
            if (job.leaving()) {
                gone.put(job.id(), leaves(job));
                left.put(job.id(), sample.remaining(job, began));
            } else {
                ends.put(job.id(), began.plus(sample.remaining(job, began)));
            }
        }
    }

    /** Who leaves has half of its grace still to go on average, unless its end is known. */
    private Instant leaves(RunningJob job) {
        var known = job.expectedEnd();
        return known != null && known.isAfter(world.asOf())
                ? known
                : world.asOf().plus(job.facts().grace().dividedBy(2));
    }

    /** Lets the core decide at the present instant, and moves on; false when nothing more can happen. */
    boolean step() {
        plan();
        var next = next();
        if (next == null) {
            return false;
        }
        if (!next.isAfter(world.asOf())) {
            moveTo(world.asOf()); // so short that it began and ended within the step
            return true;
        }
        var least = Duration.between(began, world.asOf()).dividedBy(STEPS_OF_PAST);
        var soonest = world.asOf().plus(least.compareTo(SHORTEST_STEP) > 0 ? least : SHORTEST_STEP);
        moveTo(next.isAfter(soonest) ? next : soonest);
        return true;
    }

    Instant now() {
        return world.asOf();
    }

    /** When jobs first started. */
    Map<JobId, Instant> starts() {
        return starts;
    }

    private void plan() {
        var decisions = core.decide(world);
        if (decisions.isEmpty()) {
            return;
        }
        var running = new HashMap<JobId, RunningJob>();
        world.running().forEach(j -> running.put(j.id(), j));
        var started = new HashSet<JobId>();
        for (var decision : decisions) {
            switch (decision) {
                case Decision.Start d -> started.add(d.job());
                case Decision.RequestCheckpoint d -> {
                    var victim = Objects.requireNonNull(running.get(d.job()));
                    leave(victim);
                    reclaims.add(d, victim, world.asOf());
                    if (d.cause() != Decision.Cause.MOVE && d.cause() != Decision.Cause.RESIZE) {
                        preemptions.merge(d.job(), 1, Integer::sum);
                    }
                }
                case Decision.Stop d -> leave(Objects.requireNonNull(running.get(d.job())));
                case Decision.Reserve d -> {}
                case Decision.Unreserve d -> {}
            }
        }
        world = runningAtOnce(Aftermath.of(world, decisions), started);
    }

    private void leave(RunningJob job) {
        var end = ends.remove(job.id());
        left.put(job.id(), end == null ? Duration.ZERO : Duration.between(world.asOf(), end));
        gone.put(job.id(), world.asOf().plus(job.facts().grace().dividedBy(2)));
    }

    /** Coming up takes no time here. */
    private ClusterSnapshot runningAtOnce(ClusterSnapshot after, Set<JobId> started) {
        if (started.isEmpty()) {
            return after;
        }
        var running = new ArrayList<RunningJob>();
        for (var job : after.running()) {
            running.add(started.contains(job.id()) ? begun(job) : job);
        }
        return with(after, after.asOf(), still(after.waiting(), started), running, after.reservations());
    }

    private RunningJob begun(RunningJob job) {
        var now = world.asOf();
        var began = now.minus(late);
        starts.putIfAbsent(job.id(), began);
        int today = preemptions.getOrDefault(job.id(), 0);
        var view = new RunningJob(
                job.facts(),
                new AttemptId(job.id(), 1),
                JobState.RUNNING,
                job.pool(),
                job.placements(),
                now,
                now,
                null,
                Duration.ZERO,
                null,
                job.backfilled(),
                null,
                false,
                today,
                today >= world.settings().preemptionsPerDay()
                        ? now.plus(world.settings().protectFor())
                        : null,
                job.excludedNodes(),
                job.service());
        var again = left.remove(job.id());
        ends.put(job.id(), began.plus(again == null ? sample.whole(job.facts()) : again));
        return view;
    }

    /** A beneficiary that has started needs its GPUs kept no more. */
    private static List<WaitingJob> still(List<WaitingJob> waiting, Set<JobId> started) {
        var still = new ArrayList<WaitingJob>(waiting.size());
        for (var job : waiting) {
            if (job.notBeside().stream().anyMatch(started::contains)) {
                var others = new HashSet<>(job.notBeside());
                others.removeAll(started);
                still.add(new WaitingJob(
                        job.facts(), job.waitingSince(), job.backoff(), job.excludedNodes(), others, job.service()));
            } else {
                still.add(job);
            }
        }
        return still;
    }

    private @Nullable Instant next() {
        var next = Moments.next(world.asOf(), world.settings(), world.waiting(), world.running(), world.reservations());
        var loosens = reclaims.next();
        if (loosens != null) {
            next = first(next, loosens);
        }
        var comes = arrivals.next();
        if (comes != null) {
            next = first(next, comes);
        }
        for (var at : ends.values()) {
            next = first(next, at);
        }
        for (var at : gone.values()) {
            next = first(next, at);
        }
        return next;
    }

    private static Instant first(@Nullable Instant a, Instant b) {
        return a == null || b.isBefore(a) ? b : a;
    }

    private void moveTo(Instant at) {
        var running = new ArrayList<RunningJob>();
        var waiting = new ArrayList<>(world.waiting());
        var freedFor = new HashSet<JobId>();
        long lateMillis = 0;
        int ended = 0;
        for (var job : world.running()) {
            var end = ends.get(job.id());
            if (end != null && !end.isAfter(at)) {
                ends.remove(job.id());
                lateMillis += Duration.between(end, at).toMillis();
                ended++;
            } else if (isBy(gone.get(job.id()), at)) {
                gone.remove(job.id());
                var beneficiary = job.leavingFor();
                if (beneficiary != null) {
                    freedFor.add(beneficiary);
                    waiting.add(new WaitingJob(
                            job.facts(), at, null, job.excludedNodes(), keepOff(beneficiary), job.service()));
                } else {
                    left.remove(job.id());
                }
            } else {
                running.add(job);
            }
        }
        arrivals.come(at, waiting);
        late = Duration.ofMillis(ended == 0 ? 0 : lateMillis / ended);
        world = with(world, at, waiting, running, expiring(running, freedFor, at));
    }

    private static boolean isBy(@Nullable Instant end, Instant at) {
        return end != null && !end.isAfter(at);
    }

    private Set<JobId> keepOff(JobId beneficiary) {
        return world.waiting().stream().anyMatch(j -> j.id().equals(beneficiary)) ? Set.of(beneficiary) : Set.of();
    }

    /** What is kept for a beneficiary expires a while after the last of its victims is gone. */
    private List<ReservationView> expiring(List<RunningJob> running, Set<JobId> freedFor, Instant at) {
        if (freedFor.isEmpty()) {
            return world.reservations();
        }
        running.forEach(j -> {
            if (j.leaving() && j.leavingFor() != null) {
                freedFor.remove(j.leavingFor());
            }
        });
        return world.reservations().stream()
                .map(r -> r.kind() == ReservationView.Kind.VICTIMS && freedFor.contains(r.job())
                        ? new ReservationView(
                                r.id(),
                                r.job(),
                                r.pool(),
                                r.kind(),
                                r.placements(),
                                r.startAt(),
                                at.plus(world.settings().reservationExpiry()))
                        : r)
                .toList();
    }

    private ClusterSnapshot with(
            ClusterSnapshot of,
            Instant at,
            List<WaitingJob> waiting,
            List<RunningJob> running,
            List<ReservationView> reservations) {
        return new ClusterSnapshot(
                at,
                of.settings(),
                of.mode(),
                reclaims.at(of.pools(), at),
                of.nodes(),
                of.teams(),
                waiting,
                running,
                reservations);
    }
}
