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
        var problem = new Problem(snapshot); // 1 read the snapshot
        var draft = new Draft(problem); // 2 what is free, held and deserved
        var gates = new Gates(problem);
        var desk = new Desk(draft, gates);
        new Walltimes(draft, gates).stopOverdue(); // 3 time is up
        new Promises(draft, gates, desk).keep(); // 4 what was promised before
        var line = new Line(draft, gates);
        var orders = line.places(); // 5 the order
        var before = draft.room().strict().copy();
        line.serve(desk); // 6 each job's turn: start, make room, reserve or wait
        var explanations = new Explanations(draft, gates, desk.verdicts(), before).all(orders); // 7 say why
        return new SchedulingPlan(draft.decisions(), explanations, shares(draft), problem.setAside());
    }

    private static List<ShareRow> shares(Draft draft) {
        var rows = new ArrayList<ShareRow>();
        draft.shares().forEach(pool -> rows.addAll(pool.rows()));
        return rows;
    }
}
