package io.muster.simulator.policy;

import static io.muster.simulator.engine.SimulatedJob.NEVER;

import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.model.PoolId;
import io.muster.model.TeamOrder;
import io.muster.model.TeamPath;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.ordering.RunTimeHistory;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Moments;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.JobFacts;
import io.muster.scheduling.snapshot.ModeView;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.scheduling.snapshot.QuotaView;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.Service;
import io.muster.scheduling.snapshot.TeamView;
import io.muster.scheduling.snapshot.WaitingJob;
import io.muster.simulator.engine.Cast;
import io.muster.simulator.engine.Planner;
import io.muster.simulator.engine.SimulatedJob;
import io.muster.simulator.engine.Site;
import io.muster.simulator.engine.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The server's core as shipped, with one order inside all teams: every team is guaranteed an equal part of each pool, and
 * lends all of it.
 */
final class CorePlanner implements Planner {
    private static final long DAY = Duration.ofDays(1).toMillis();
    /** Whoever was set aside stays so: it is enough to look now and then. */
    private static final int CHECKED = 64;

    private static final long MINUTE = Duration.ofMinutes(1).toMillis();

    private final Scheduler core = new Scheduler();
    private final PolicySettings settings;
    private final TeamOrder order;
    private final RunTimeHistory history = new RunTimeHistory();
    private final Map<JobId, WaitingJob> waiting = new HashMap<>();
    private final Map<JobId, RunningJob> running = new HashMap<>();
    private @Nullable List<TeamView> teams;
    private boolean decided;
    private int plans;

    CorePlanner(PolicySettings settings, TeamOrder order) {
        this.settings = settings;
        this.order = order;
    }

    @Override
    public List<Decision> plan(World world) {
        var decisions = plans++ % CHECKED == 0 ? checked(world) : core.decide(snapshot(world));
        decided = !decisions.isEmpty();
        return decisions;
    }

    /** The same with the reasons that nobody reads here, and that cost as much again; but it tells of jobs that were set aside. */
    private List<Decision> checked(World world) {
        var plan = core.plan(snapshot(world));
        if (!plan.setAside().isEmpty()) {
            throw new IllegalStateException("the core threw: " + plan.setAside());
        }
        return plan.decisions();
    }

    /** The world as the core sees it. */
    ClusterSnapshot snapshot(World world) {
        var asOf = Instant.ofEpochMilli(world.now());
        var waits = world.waiting().stream().map(j -> waiting(j, world)).toList();
        var runs = world.active().stream().map(j -> running(j, world)).toList();
        if (teams == null) teams = teams(world.site());
        return new ClusterSnapshot(
                asOf,
                settings,
                ModeView.RUNNING,
                world.site().pools(),
                world.site().nodes(),
                teams,
                waits,
                runs,
                List.copyOf(world.reservations()));
    }

    /** What time alone changes: jobs come of age, {@code minRuntime} passes, heads' times come. */
    @Override
    public long nextReview(World world) {
        var moment = Moments.next(
                Instant.ofEpochMilli(world.now()),
                settings,
                List.of(),
                world.active().stream().map(j -> running(j, world)).toList(),
                world.reservations());
        long next = moment == null ? NEVER : moment.toEpochMilli();
        for (var job : world.active()) {
            long since = job.runningSince();
            boolean open = since != NEVER && since + settings.minRuntime().toMillis() <= world.now();
            if (open) next = Math.min(next, nextTurn(job, world));
        }
        return decided ? Math.min(next, world.now() + MINUTE) : next;
    }

    /** When the order may have changed because the job went on running. */
    private long nextTurn(SimulatedJob job, World world) {
        return switch (order) {
            case FIFO -> NEVER;
            case FAIR_FINISH -> world.now() + MINUTE;
            case ATTAINED_SERVICE ->
                world.now()
                        + RunTimeHistory.untilChange(Duration.ofMillis(job.done(world.now())))
                                .toMillis();
        };
    }

    @Override
    public void ended(SimulatedJob job, World world) {
        if (order == TeamOrder.ATTAINED_SERVICE) {
            history.ended(MusterOrders.kinds(job), Duration.ofMillis(job.done(world.now())));
        }
    }

    private Service service(SimulatedJob job, World world) {
        var ran = Duration.ofMillis(job.done(world.now()));
        return switch (order) {
            case FIFO -> Service.NONE;
            case FAIR_FINISH -> new Service(ran, Duration.ZERO);
            case ATTAINED_SERVICE -> {
                double seconds = history.cost(MusterOrders.kinds(job), ran);
                yield new Service(ran, Duration.ofMillis(Math.round(seconds * 1000)));
            }
        };
    }

    private WaitingJob waiting(SimulatedJob job, World world) {
        running.remove(job.id());
        var known = waiting.get(job.id());
        var beside = job.leavingFor();
        var not = beside != null && world.waiting(beside) != null ? Set.of(beside) : Set.<JobId>of();
        var service = service(job, world);
        if (known == null || !known.notBeside().equals(not) || !known.service().equals(service)) {
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
        return new JobFacts(
                f.id(),
                f.team(),
                f.user(),
                f.priority(),
                f.priorityClass(),
                f.acrossTeams(),
                f.classCap(),
                f.submittedAt(),
                f.pools(),
                f.gpuTypes(),
                f.minGpuMemoryMib(),
                f.groups(),
                f.topology(),
                f.preemptible(),
                left.isNegative() ? Duration.ZERO : left,
                f.grace(),
                f.checkpointEvery());
    }

    private RunningJob running(SimulatedJob job, World world) {
        var waited = waiting.remove(job.id());
        var known = running.get(job.id());
        int today = job.preemptionsSince(world.now() - DAY);
        if (known == null
                || order != TeamOrder.FIFO
                || known.attempt().number() != job.attempts()
                || known.state() != job.life().state()
                || known.preemptionsToday() != today) {
            var facts = waited != null ? waited.facts() : known != null ? known.facts() : facts(job);
            known = view(job, facts, today, world);
            running.put(job.id(), known);
        }
        return known;
    }

    private RunningJob view(SimulatedJob job, JobFacts facts, int today, World world) {
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
                // It saves whenever it is asked, and loses nothing but the restart.
                Instant.ofEpochMilli(world.now()),
                world.costs().restart(),
                null,
                job.backfilled(),
                job.leavingFor(),
                job.isLeaving(),
                today,
                tired ? placed.plus(settings.protectFor()) : null,
                Set.of(),
                service(job, world));
    }

    private static PoolId pool(SimulatedJob job, World world) {
        return world.fleet().partitionOf(job.spots().getFirst().node()).poolId();
    }

    private List<TeamView> teams(Site site) {
        var teams = new ArrayList<TeamView>();
        for (TeamPath team : site.teams()) {
            Map<PoolId, QuotaView> quotas = new HashMap<>();
            for (PoolView pool : site.pools()) {
                int guaranteed = capacity(site, pool.id()) / site.teams().size();
                quotas.put(pool.id(), new QuotaView(guaranteed, null, null, 1, 0));
            }
            teams.add(new TeamView(Cast.teamId(team), null, team, quotas, null, order, Map.of()));
        }
        return teams;
    }

    private static int capacity(Site site, PoolId pool) {
        int sum = 0;
        for (int n = 0; n < site.fleet().size(); n++) {
            boolean counts =
                    site.fleet().takes(n) && site.fleet().node(n).pool().equals(pool);
            sum += counts ? site.fleet().ours(n).gpus() : 0;
        }
        return sum;
    }
}
