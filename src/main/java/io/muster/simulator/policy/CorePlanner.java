package io.muster.simulator.policy;

import static io.muster.simulator.engine.SimulatedJob.NEVER;

import io.muster.model.PoolId;
import io.muster.model.TeamOrder;
import io.muster.model.TeamPath;
import io.muster.scheduling.Scheduler;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.Moments;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import io.muster.scheduling.snapshot.ModeView;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.scheduling.snapshot.PoolView;
import io.muster.scheduling.snapshot.QuotaView;
import io.muster.scheduling.snapshot.RunningJob;
import io.muster.scheduling.snapshot.TeamView;
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
import org.jspecify.annotations.Nullable;

/**
 * The server's core as shipped, with one order inside all teams: every team is guaranteed an equal part of each pool, and
 * lends all of it.
 */
final class CorePlanner implements Planner {
    /** Whoever was set aside stays so: it is enough to look now and then. */
    private static final int CHECKED = 64;

    private static final long MINUTE = Duration.ofMinutes(1).toMillis();

    private final Scheduler core = new Scheduler();
    private final PolicySettings settings;
    private final TeamOrder order;
    private final Rows rows;
    private @Nullable List<TeamView> teams;
    private boolean decided;
    private int plans;

    CorePlanner(PolicySettings settings, TeamOrder order) {
        this.settings = settings;
        this.order = order;
        rows = new Rows(settings, order);
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
        var waits = world.waiting().stream().map(j -> rows.waiting(j, world)).toList();
        var runs = running(world);
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
                Instant.ofEpochMilli(world.now()), settings, List.of(), running(world), world.reservations());
        long next = moment == null ? NEVER : moment.toEpochMilli();
        for (var job : world.active()) {
            long since = job.runningSince();
            boolean open = since != NEVER && since + settings.minRuntime().toMillis() <= world.now();
            if (open) next = Math.min(next, rows.nextTurn(job, world));
        }
        return decided ? Math.min(next, world.now() + MINUTE) : next;
    }

    private List<RunningJob> running(World world) {
        return world.active().stream().map(j -> rows.running(j, world)).toList();
    }

    @Override
    public void ended(SimulatedJob job, World world) {
        rows.ended(job, world);
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
