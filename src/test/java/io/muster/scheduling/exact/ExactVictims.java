package io.muster.scheduling.exact;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.LinearExpr;
import io.muster.scheduling.build.Cluster;
import io.muster.scheduling.build.Job;
import io.muster.scheduling.build.Node;
import io.muster.scheduling.build.Quota;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A full fleet of experiments, one urgent gang, and the cheapest set of victims that lets it in. */
record ExactVictims(int nodes, List<Experiment> experiments, int replicas, int gpus) {
    private static final int NODE_GPUS = 8;

    /** Runs with one replica of {@code gpus} on each of {@code on}; saved {@code minutes} ago. */
    record Experiment(long id, List<Integer> on, int gpus, int minutes) {
        long cost() {
            return minutes * 60L * gpus * on.size();
        }
    }

    static ExactVictims random(long seed) {
        var random = new Random(seed);
        int nodes = 2 + random.nextInt(5);
        int[] free = new int[nodes];
        java.util.Arrays.fill(free, NODE_GPUS);
        var experiments = new ArrayList<Experiment>();
        for (int tries = 0; tries < 60; tries++) {
            int gpus = List.of(1, 2, 2, 4, 8).get(random.nextInt(5));
            var on = new ArrayList<Integer>();
            int wide = 1 + (random.nextInt(3) == 0 ? random.nextInt(3) : 0);
            for (int n = 0; n < nodes && on.size() < wide; n++) {
                if (free[n] >= gpus) {
                    on.add(n);
                }
            }
            if (on.size() == wide) {
                on.forEach(n -> free[n] -= gpus);
                experiments.add(
                        new Experiment(100 + experiments.size(), List.copyOf(on), gpus, 1 + random.nextInt(55)));
            }
        }
        int gpus = List.of(1, 2, 4, 8).get(random.nextInt(4));
        int most = nodes * (NODE_GPUS / gpus);
        return new ExactVictims(nodes, List.copyOf(experiments), 1 + random.nextInt(Math.min(most, 6)), gpus);
    }

    Cluster cluster() {
        var cluster = Cluster.cluster()
                .rack("r", Node.nodes("n", nodes))
                .team("a", Quota.guaranteed(nodes * NODE_GPUS))
                .jobs(Job.job(1).replicas(replicas).gpus(gpus).priority(100));
        for (var e : experiments) {
            cluster.jobs(Job.job(e.id())
                    .gpus(e.gpus())
                    .on(e.on().stream().map(n -> "n" + (n + 1)).toArray(String[]::new))
                    .started(Duration.ofHours(2))
                    .checkpointed(Duration.ofMinutes(e.minutes())));
        }
        return cluster;
    }

    /** GPU-seconds that the cheapest sufficient set loses. */
    long cheapest() {
        var model = new CpModel();
        var yields = new ArrayList<BoolVar>();
        experiments.forEach(e -> yields.add(model.newBoolVar("yields " + e.id())));
        var seated = LinearExpr.newBuilder();
        for (int n = 0; n < nodes; n++) {
            var here = model.newIntVar(0, NODE_GPUS / gpus, "n" + n);
            seated.add(here);
            // gang's GPUs here - freed here <= free here
            var load = LinearExpr.newBuilder().addTerm(here, gpus);
            int free = NODE_GPUS;
            for (int e = 0; e < experiments.size(); e++) {
                if (experiments.get(e).on().contains(n)) {
                    load.addTerm(yields.get(e), -experiments.get(e).gpus());
                    free -= experiments.get(e).gpus();
                }
            }
            model.addLessOrEqual(load, free);
        }
        model.addEquality(seated, replicas);
        var cost = LinearExpr.newBuilder();
        for (int e = 0; e < experiments.size(); e++) {
            cost.addTerm(yields.get(e), experiments.get(e).cost());
        }
        model.minimize(cost);
        return Math.round(ExactPlacement.solve(model).objectiveValue());
    }
}
