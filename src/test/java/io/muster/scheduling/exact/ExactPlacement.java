package io.muster.scheduling.exact;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What an exact solver (CP-SAT) does with an {@link Instance}. */
final class ExactPlacement {
    private final Instance instance;
    private final CpModel model = new CpModel();
    private final List<BoolVar> starts = new ArrayList<>();
    private final List<List<IntVar>> replicas = new ArrayList<>();

    private ExactPlacement(Instance instance) {
        this.instance = instance;
        for (var gang : instance.gangs()) {
            add(gang);
        }
        for (int h = 0; h < instance.hosts().size(); h++) {
            var used = LinearExpr.newBuilder();
            for (int g = 0; g < instance.gangs().size(); g++) {
                used.addTerm(replicas.get(g).get(h), instance.gangs().get(g).gpus());
            }
            model.addLessOrEqual(used, instance.hosts().get(h).free());
        }
    }

    /** The gangs that start when each in the order of the queue is worth more than all behind it together. */
    static Set<Long> started(Instance instance) {
        var exact = new ExactPlacement(instance);
        var worth = LinearExpr.newBuilder();
        int count = instance.gangs().size();
        for (int g = 0; g < count; g++) {
            worth.addTerm(exact.starts.get(g), 1L << (count - 1 - g));
        }
        exact.model.maximize(worth);
        var solver = exact.solve();
        var started = new TreeSet<Long>();
        for (int g = 0; g < count; g++) {
            if (solver.booleanValue(exact.starts.get(g))) {
                started.add(instance.gangs().get(g).id());
            }
        }
        return started;
    }

    /** The fewest racks, and then the fewest nodes, on which the first gang can stand; it must fit. */
    static int[] fewestDomains(Instance instance) {
        var exact = new ExactPlacement(instance);
        exact.model.addEquality(exact.starts.getFirst(), 1);
        var racks = new ArrayList<BoolVar>();
        for (int r = 0; r < instance.racks(); r++) {
            racks.add(exact.model.newBoolVar("rack"));
        }
        var weighed = LinearExpr.newBuilder();
        racks.forEach(r -> weighed.addTerm(r, 1000));
        for (int h = 0; h < instance.hosts().size(); h++) {
            var used = exact.model.newBoolVar("node");
            var on = exact.replicas.getFirst().get(h);
            exact.model.addEquality(on, 0).onlyEnforceIf(used.not());
            exact.model.addImplication(used, racks.get(instance.hosts().get(h).rack()));
            weighed.add(used);
        }
        exact.model.minimize(weighed);
        long best = Math.round(exact.solve().objectiveValue());
        return new int[] {(int) (best / 1000), (int) (best % 1000)};
    }

    private void add(Instance.Gang gang) {
        var start = model.newBoolVar("start " + gang.id());
        var on = new ArrayList<IntVar>();
        var sum = LinearExpr.newBuilder();
        for (var host : instance.hosts()) {
            var here = model.newIntVar(0, Math.min(gang.replicas(), host.free() / gang.gpus()), host.name());
            on.add(here);
            sum.add(here);
        }
        model.addEquality(sum, LinearExpr.term(start, gang.replicas()));
        if (gang.require() != null) {
            inOneDomain(gang, on);
        }
        starts.add(start);
        replicas.add(on);
    }

    private void inOneDomain(Instance.Gang gang, List<IntVar> on) {
        boolean byRack = "rack".equals(gang.require());
        int domains = byRack ? instance.racks() : instance.hosts().size();
        var chosen = new BoolVar[domains];
        LinearExprBuilder one = LinearExpr.newBuilder();
        for (int d = 0; d < domains; d++) {
            chosen[d] = model.newBoolVar("domain");
            one.add(chosen[d]);
        }
        model.addLessOrEqual(one, 1);
        for (int h = 0; h < on.size(); h++) {
            int domain = byRack ? instance.hosts().get(h).rack() : h;
            model.addEquality(on.get(h), 0).onlyEnforceIf(chosen[domain].not());
        }
    }

    private CpSolver solve() {
        return solve(model);
    }

    static CpSolver solve(CpModel model) {
        var solver = new CpSolver();
        solver.getParameters().setNumWorkers(1).setRandomSeed(1).setMaxTimeInSeconds(20);
        var status = solver.solve(model);
        if (status != CpSolverStatus.OPTIMAL) {
            throw new AssertionError("the exact solver ended with " + status);
        }
        return solver;
    }
}
