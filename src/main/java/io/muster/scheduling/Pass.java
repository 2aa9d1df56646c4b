package io.muster.scheduling;

import io.muster.model.JobId;
import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.explain.Explanations;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.placement.Plane;
import io.muster.scheduling.plan.Decision;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.plan.ShareRow;
import io.muster.scheduling.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** One pass over a problem: every promise is looked at and every job has its turn, once. */
final class Pass {
    private final Problem problem;
    private final Draft draft;
    private final Gates gates;
    private final Desk desk;
    private final Line line;
    private final Plane before;

    /** {@code held}: jobs that are neither backfilled nor given victims. */
    Pass(Problem problem, Set<JobId> held) {
        this.problem = problem;
        draft = new Draft(problem); // what is free, held and deserved
        gates = new Gates(problem);
        desk = new Desk(draft, gates, held);
        new Walltimes(draft, gates).stopOverdue(); // time is up
        new Promises(draft, gates, desk).keep(); // what was promised before
        before = draft.room().strict().copy();
        line = new Line(draft); // the order
        line.serve(desk); // each job's turn: start, make room, reserve or wait
        if (held.isEmpty() && draft.decisions().isEmpty()) {
            new Growth(draft, gates).grow(); // what is left over
        }
    }

    /** Tries other wishes in the world as this pass left it. */
    Probe probe() {
        return new Probe(draft, gates, desk);
    }

    Effort effort() {
        return desk.effort();
    }

    List<Decision> decisions() {
        return draft.decisions();
    }

    Problem problem() {
        return problem;
    }

    /** What others could take when the turns of this pass began. */
    Plane before() {
        return before;
    }

    /** The whole plan, explained as this pass left the world. */
    SchedulingPlan plan(List<Decision> decisions, Plane first) {
        var explanations = new Explanations(draft, gates, desk.verdicts().byJob(), first, line::places);
        var rows = new ArrayList<ShareRow>();
        draft.shares().forEach(pool -> rows.addAll(pool.rows()));
        return new SchedulingPlan(decisions, explanations, rows, problem.setAside());
    }
}
