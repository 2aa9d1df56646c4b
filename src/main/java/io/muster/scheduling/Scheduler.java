package io.muster.scheduling;

import io.muster.scheduling.draft.Draft;
import io.muster.scheduling.explain.Explanations;
import io.muster.scheduling.explain.Gates;
import io.muster.scheduling.plan.SchedulingPlan;
import io.muster.scheduling.plan.ShareRow;
import io.muster.scheduling.problem.Problem;
import io.muster.scheduling.snapshot.ClusterSnapshot;
import java.util.ArrayList;
import java.util.List;

/** The core: decides which jobs run where and when. Pure: equal snapshots give equal plans, byte for byte. */
public final class Scheduler {

    /** Plans one cycle. */
    public SchedulingPlan plan(ClusterSnapshot snapshot) {
        var problem = new Problem(snapshot); // 1 read
        var draft = new Draft(problem); // 2 what is held, promised and deserved
        var gates = new Gates(problem);
        var desk = new Desk(draft, gates);
        var line = new Line(draft, gates);
        var orders = line.places(); // 3 order, as people see it
        var before = draft.room().strict().copy();
        line.serve(desk); // 4 each job's turn
        var explanations = new Explanations(draft, gates, desk.verdicts(), before).all(orders); // 5 explain
        return new SchedulingPlan(draft.decisions(), explanations, shares(draft), problem.setAside());
    }

    private static List<ShareRow> shares(Draft draft) {
        var rows = new ArrayList<ShareRow>();
        draft.shares().forEach(pool -> rows.addAll(pool.rows()));
        return rows;
    }
}
