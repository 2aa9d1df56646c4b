package io.muster.cycle;

import io.muster.calibration.ForecastBook;
import io.muster.job.Feasibility;
import io.muster.job.JobDocument;
import io.muster.job.LedgerJob;
import io.muster.model.DomainPath;
import io.muster.model.Explanation;
import io.muster.model.Explanation.StartBy;
import io.muster.model.GpuTypeId;
import io.muster.model.JobId;
import io.muster.model.JobState;
import io.muster.model.PoolId;
import io.muster.model.Reason;
import io.muster.model.ReplicaPlacement;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import io.muster.policy.PolicyBook;
import io.muster.policy.PriorityClass;
import io.muster.scheduling.Explainer;
import io.muster.scheduling.Preview;
import io.muster.scheduling.PreviewResult;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.plan.Decision;
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
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Answers questions about jobs by the very core that plans, on the picture that the loop has. */
@Component
class CoreFeasibility implements Feasibility {
    /** Stands last among equals, as a job submitted now would. */
    private static final JobId HYPOTHETICAL = new JobId(Long.MAX_VALUE);

    /** People wait for a preview: so much computing goes into its forecast. */
    private static final Duration PREVIEW = Duration.ofMillis(300);

    private static final UserId NOBODY = new UserId(new UUID(0, 0));

    /** Answers questions only, so that the loop never waits for one; it remembers what it read, as the loop's does. */
    private final Scheduler asked = new Scheduler();

    private final Picture picture;
    private final SurroundingsReader surroundings;
    private final PolicyBook policy;
    private final Forecasts forecasts;
    private final ForecastBook book;
    private final Fits fits = new Fits();

    CoreFeasibility(
            Picture picture,
            SurroundingsReader surroundings,
            PolicyBook policy,
            Forecasts forecasts,
            ForecastBook book) {
        this.policy = policy;
        this.forecasts = forecasts;
        this.book = book;
        this.picture = picture;
        this.surroundings = surroundings;
    }

    @Override
    public Optional<Reason.NeverFits> neverFits(TeamId team, JobDocument document) {
        Surroundings around = surroundings.read();
        if (around.pools().isEmpty()) {
            return Optional.of(new Reason.NeverFits(document.pool(), document.gpus(), null, 0, DomainPath.POOL));
        }
        JobFacts facts = facts(team, NOBODY, document, around, picture.now());
        return fits.check(around, facts);
    }

    @Override
    public Outlook preview(TeamId team, UserId user, JobDocument document) {
        record Seen(ClusterSnapshot snapshot, Surroundings around, Service service) {}
        Seen seen = picture.glance(view -> new Seen(
                view.snapshot(),
                view.around(),
                RunTimes.service(view.world().runTimes(), document.gpus(), team, user, document, Duration.ZERO)));
        if (seen.around().pools().isEmpty()) {
            var never = new Reason.NeverFits(document.pool(), document.gpus(), null, 0, DomainPath.POOL);
            return new Outlook(false, null, null, null, List.of(), List.of(), 0, List.of(never), 0, null);
        }
        JobFacts facts =
                facts(team, user, document, seen.around(), seen.snapshot().asOf());
        var result = preview(seen.snapshot(), facts, seen.service());
        return outlook(result, start(result, facts, seen.service(), seen.snapshot()), seen.snapshot());
    }

    /** By a forecast where one can be made at once, else by the ends of what runs. */
    private @Nullable Start start(PreviewResult result, JobFacts facts, Service service, ClusterSnapshot snapshot) {
        Start rough = Start.of(result.expectedStart(), result.latestStart(), StartBy.ENDS);
        if (result.startsNow() || !result.victims().isEmpty() || result.place() == 0) {
            return rough;
        }
        var waiting = new ArrayList<>(snapshot.waiting());
        waiting.add(new WaitingJob(facts, snapshot.asOf(), null, Set.of(), Set.of(), service));
        var pace = new Pace(1, PREVIEW, () -> true);
        return forecasts.of(HYPOTHETICAL, snapshot.withWaiting(waiting), pace).orElse(rough);
    }

    private static JobFacts facts(TeamId team, UserId user, JobDocument document, Surroundings around, Instant asOf) {
        return FactsOfJobs.facts(
                HYPOTHETICAL,
                new FactsOfJobs.Owner(team, user),
                document.priority(),
                document.preemptible(),
                asOf,
                Duration.ZERO,
                document,
                around);
    }

    private static Outlook outlook(PreviewResult result, @Nullable Start start, ClusterSnapshot snapshot) {
        return new Outlook(
                result.startsNow(),
                pool(result.decision()),
                type(result.decision()),
                domain(result.decision()),
                placements(result.decision()),
                result.victims(),
                lost(result.victims(), snapshot),
                result.reasons(),
                result.place(),
                start);
    }

    private static @Nullable PoolId pool(@Nullable Decision decision) {
        return switch (decision) {
            case Decision.Start s -> s.pool();
            case Decision.Reserve r -> r.pool();
            case null, default -> null;
        };
    }

    private static @Nullable GpuTypeId type(@Nullable Decision decision) {
        return decision instanceof Decision.Start s ? s.gpuType() : null;
    }

    private static @Nullable DomainPath domain(@Nullable Decision decision) {
        return decision instanceof Decision.Start s ? s.domain() : null;
    }

    private static List<ReplicaPlacement> placements(@Nullable Decision decision) {
        return switch (decision) {
            case Decision.Start s -> s.placements();
            case Decision.Reserve r -> r.placements();
            case null, default -> List.of();
        };
    }

    /** Work since the last checkpoint, and the restart, of each victim. */
    private static long lost(List<JobId> victims, ClusterSnapshot snapshot) {
        var yielding = new HashSet<>(victims);
        long lost = 0;
        for (RunningJob job : snapshot.running()) {
            if (yielding.contains(job.id())) {
                Instant saved = job.lastCheckpointAt() != null ? job.lastCheckpointAt() : job.runningSince();
                Duration atRisk = saved == null || saved.isAfter(snapshot.asOf())
                        ? Duration.ZERO
                        : Duration.between(saved, snapshot.asOf());
                lost += atRisk.plus(job.restartTime()).toSeconds() * job.gpusHeld();
            }
        }
        return lost;
    }

    @Override
    public Optional<Explanation> explain(JobId job) {
        record Seen(ClusterSnapshot snapshot, @Nullable LedgerJob row) {}
        Seen seen = picture.look(view -> new Seen(view.snapshot(), view.world().job(job)));
        LedgerJob row = seen.row();
        if (row == null || row.life().state() != JobState.QUEUED && row.life().state() != JobState.HELD) {
            return Optional.empty();
        }
        if (row.life().state() == JobState.HELD) {
            return Optional.of(OwnReasons.held(row, seen.snapshot().asOf()));
        }
        var forecast = book.newest(job, row.waitingSince()).orElse(null);
        List<Explainer.PriorityClass> classes = classes();
        synchronized (asked) {
            var explainer = new Explainer(seen.snapshot(), asked);
            Explanation planned = explainer
                    .explanation(job)
                    .orElse(OwnReasons.notYetPlanned(row, seen.snapshot().asOf()));
            return Optional.of(Forecasts.tell(planned, forecast).with(explainer.remedies(job, classes)));
        }
    }

    private PreviewResult preview(ClusterSnapshot snapshot, JobFacts facts, Service service) {
        synchronized (asked) {
            return Preview.of(snapshot, facts, service, asked);
        }
    }

    /** Classes that need no grant; whether this reader may use one is said where the remedy is shown. */
    private List<Explainer.PriorityClass> classes() {
        return policy.classes().stream()
                .filter(c -> c.usableBy() != PriorityClass.UsableBy.GRANTED && !c.acrossTeams())
                .map(c -> new Explainer.PriorityClass(c.name(), c.value()))
                .toList();
    }
}
