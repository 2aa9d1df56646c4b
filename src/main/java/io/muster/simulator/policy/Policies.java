package io.muster.simulator.policy;

import io.muster.model.TeamOrder;
import io.muster.scheduling.snapshot.PolicySettings;
import io.muster.simulator.engine.Planner;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/** All policies by name. */
public final class Policies {
    /** The core itself; it alone has an order that can be chosen. */
    public static final String CORE = "muster";

    private static final Map<String, IntFunction<Planner>> ALL = new TreeMap<>(Map.ofEntries(
            ordered("fifo-strict", teams -> new References.Fifo(Ranking.Blocking.STOP)),
            ordered("fifo-skip", teams -> new References.Fifo(Ranking.Blocking.SKIP)),
            ordered("fifo-backfill", teams -> new References.Fifo(Ranking.Blocking.RESERVE)),
            ordered("sjf", teams -> new References.Shortest((job, now) -> job.work(), false)),
            ordered("srtf", teams -> new References.Shortest((job, now) -> job.remaining(now), true)),
            ordered(
                    "srsf",
                    teams -> new References.Shortest((job, now) -> (double) job.remaining(now) * job.gpus(), true)),
            ordered("tiresias", teams -> new References.Tiresias()),
            ordered("themis", teams -> new References.Themis()),
            ordered("drf", References.Drf::new),
            ordered("attained-service", teams -> new MusterOrders.ByAttainedService()),
            ordered("fair-finish", teams -> new MusterOrders.ByFairFinish()),
            Map.entry(CORE, teams -> new CorePlanner(PolicySettings.SHIPPED, TeamOrder.FIFO))));

    private Policies() {}

    private static Map.Entry<String, IntFunction<Planner>> ordered(String name, IntFunction<Ranking> ranking) {
        return Map.entry(name, teams -> new OrderedPlanner(ranking.apply(teams)));
    }

    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /** The planner called {@code name} for a run with so many teams. */
    public static Planner of(String name, int teams) {
        var made = ALL.get(name);
        if (made == null) throw new IllegalArgumentException("no policy is called " + name);
        return made.apply(teams);
    }

    /** The core with {@code order} inside every team. */
    public static Planner core(TeamOrder order) {
        return new CorePlanner(PolicySettings.SHIPPED, order);
    }
}
