package io.muster.scheduling.plan;

import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.PoolId;
import io.muster.model.ReservationId;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.scheduling.snapshot.ReservationView;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.WaitingJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The world as decisions leave it at the instant they are carried out: what starts is starting, who is asked leaves. */
public final class Aftermath {
    private static final long OF_THIS_PLAN = -1;

    private final ClusterSnapshot before;
    private final Map<JobId, Decision.Start> starts = new HashMap<>();
    private final Map<JobId, Decision.Reserve> reserves = new HashMap<>();
    private final Map<JobId, @Nullable JobId> leavingFor = new HashMap<>();
    private final Map<JobId, Integer> reclaimed = new HashMap<>();
    private final Set<ReservationId> ended = new HashSet<>();

    private Aftermath(ClusterSnapshot before) {
        this.before = before;
    }

    /** The snapshot that follows on {@code before}. Reservations that are new have ids that mean nothing outside. */
    public static ClusterSnapshot of(ClusterSnapshot before, List<Decision> decisions) {
        var aftermath = new Aftermath(before);
        decisions.forEach(aftermath::read);
        var left = new ArrayList<WaitingJob>(before.waiting().size());
        var starting = new ArrayList<WaitingJob>();
        before.waiting().forEach(job -> (aftermath.starts.containsKey(job.id()) ? starting : left).add(job));
        return aftermath.snapshot(left, starting);
    }

    /**
     * The same for whoever knows who waits: the list of those who wait stays as it was, though some of them are starting.
     *
     * @param waiting the waiting job of an id
     */
    public static ClusterSnapshot of(
            ClusterSnapshot before, List<Decision> decisions, Function<JobId, WaitingJob> waiting) {
        var aftermath = new Aftermath(before);
        decisions.forEach(aftermath::read);
        var starting = aftermath.starts.keySet().stream().map(waiting).toList();
        return aftermath.snapshot(before.waiting(), starting);
    }

    /** True when the reservation was decided in this very plan and stands nowhere else yet. */
    public static boolean isOfThisPlan(ReservationId id) {
        return id.value().getMostSignificantBits() == OF_THIS_PLAN;
    }

    private void read(Decision decision) {
        switch (decision) {
            case Decision.Start s -> starts.put(s.job(), s);
            case Decision.Reserve r -> reserves.put(r.job(), r);
            case Decision.Unreserve u -> ended.add(u.reservation());
            case Decision.Stop s -> leavingFor.put(s.job(), null);
            case Decision.RequestCheckpoint r -> {
                leavingFor.put(r.job(), r.beneficiary());
                if (r.cause() == Decision.Cause.RECLAIM && !r.guaranteed()) {
                    reclaimed.put(r.job(), r.gpusFreed());
                }
            }
        }
    }

    private ClusterSnapshot snapshot(List<WaitingJob> waiting, List<WaitingJob> starting) {
        return new ClusterSnapshot(
                before.asOf(),
                before.settings(),
                before.mode(),
                pools(),
                before.nodes(),
                before.teams(),
                waiting,
                running(starting),
                reservations());
    }

    private List<PoolView> pools() {
        if (reclaimed.isEmpty()) {
            return before.pools();
        }
        var sums = new HashMap<PoolId, Integer>();
        before.running().forEach(j -> sums.merge(j.pool(), reclaimed.getOrDefault(j.id(), 0), Integer::sum));
        return before.pools().stream()
                .map(p -> new PoolView(p.id(), p.levels(), p.reclaimedLately() + sums.getOrDefault(p.id(), 0)))
                .toList();
    }

    private List<RunningJob> running(List<WaitingJob> starting) {
        var running = new ArrayList<RunningJob>(before.running().size() + starting.size());
        for (var job : before.running()) {
            running.add(leavingFor.containsKey(job.id()) ? leaving(job, leavingFor.get(job.id())) : job);
        }
        starting.forEach(job -> running.add(started(job, Objects.requireNonNull(starts.get(job.id())))));
        return running;
    }

    private static RunningJob leaving(RunningJob job, @Nullable JobId beneficiary) {
        return new RunningJob(
                job.facts(),
                job.attempt(),
                JobState.CHECKPOINTING,
                job.pool(),
                job.placements(),
                job.startedAt(),
                job.runningSince(),
                job.lastCheckpointAt(),
                job.restartTime(),
                job.expectedEnd(),
                job.backfilled(),
                beneficiary,
                true,
                job.preemptionsToday(),
                job.protectedUntil(),
                job.excludedNodes(),
                job.service());
    }

    private RunningJob started(WaitingJob job, Decision.Start start) {
        return new RunningJob(
                job.facts(),
                new AttemptId(job.id(), 1),
                JobState.STARTING,
                start.pool(),
                start.placements(),
                before.asOf(),
                null,
                null,
                Duration.ZERO,
                null,
                start.backfilled(),
                null,
                false,
                0,
                null,
                job.excludedNodes(),
                job.service());
    }

    private List<ReservationView> reservations() {
        var left = new ArrayList<ReservationView>();
        for (var r : before.reservations()) {
            if (!starts.containsKey(r.job()) && !reserves.containsKey(r.job()) && !ended.contains(r.id())) {
                left.add(r);
            }
        }
        for (var r : reserves.values()) {
            left.add(new ReservationView(
                    new ReservationId(new UUID(OF_THIS_PLAN, r.job().value())),
                    r.job(),
                    r.pool(),
                    ReservationView.Kind.valueOf(r.kind().name()),
                    r.placements(),
                    r.startAt(),
                    null));
        }
        return left;
    }
}
